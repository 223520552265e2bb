package io.parley.proxy.config.file;

import io.netty.util.NetUtil;
import io.parley.resource.read.Field;
import io.parley.wire.name.DnsName;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * Addresses as people write them: {@code 10.0.0.2:3306}, {@code [::1]:25}, {@code localhost:80}, and for what is dialled
 * {@code db.internal:5432}. Names are not looked up here.
 */
public final class Addresses {
    private static final InetSocketAddress STAND_IN = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final String EXPECTED = "an IP address or localhost, and a port, such as 10.0.0.2:3306 or [::1]:25";

    private static final String EXPECTED_TO_DIAL =
            "an IP address, localhost or a host name, and a port, such as 10.0.0.2:3306 or db.internal:5432";

    private Addresses() {}

    /** The address, or empty if the text is none. */
    public static Optional<InetSocketAddress> parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            return Optional.empty();
        }
        String host = text.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (host.indexOf(':') >= 0 && !bracketed) {
            return Optional.empty();
        }
        Optional<Integer> port = port(text.substring(colon + 1));
        Optional<InetAddress> address = host(bracketed ? host.substring(1, host.length() - 1) : host);
        return port.flatMap(number -> address.map(ip -> new InetSocketAddress(ip, number)));
    }

    /** The host's address, or empty if the text is none. */
    static Optional<InetAddress> host(String text) {
        if (text.equals("localhost")) {
            return Optional.of(InetAddress.getLoopbackAddress());
        }
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
        try {
            return bytes == null ? Optional.empty() : Optional.of(InetAddress.getByAddress(bytes));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    private static Optional<Integer> port(String text) {
        boolean digits = !text.isEmpty() && text.length() <= 5 && text.chars().allMatch(c -> '0' <= c && c <= '9');
        return digits ? Optional.of(Integer.parseInt(text)).filter(port -> port <= 65535) : Optional.empty();
    }

    static InetSocketAddress require(Field field) {
        return parse(field.requireText(EXPECTED, text -> parse(text).isPresent()))
                .orElse(STAND_IN);
    }

    /** An address that is dialled; a name is looked up then, each time. */
    static InetSocketAddress requireDialled(Field field) {
        String text = field.requireText(
                EXPECTED_TO_DIAL, value -> parse(value).or(() -> named(value)).isPresent());
        return parse(text).or(() -> named(text)).orElse(STAND_IN);
    }

    private static Optional<InetSocketAddress> named(String text) {
        int colon = text.lastIndexOf(':');
        return colon < 0 || !isHostName(text.substring(0, colon))
                ? Optional.empty()
                : port(text.substring(colon + 1))
                        .map(port -> InetSocketAddress.createUnresolved(text.substring(0, colon), port));
    }

    /** RFC 1123 section 2.1: the last label of a name is not a number, so that 10.0.0.256 is an address badly written. */
    private static boolean isHostName(String text) {
        String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        String last = name.substring(name.lastIndexOf('.') + 1);
        return DnsName.isValid(text) && !last.chars().allMatch(c -> '0' <= c && c <= '9');
    }

    static InetSocketAddress or(Field field, InetSocketAddress absent) {
        String text = field.text(EXPECTED, value -> parse(value).isPresent());
        return text == null ? absent : parse(text).orElse(STAND_IN);
    }
}
