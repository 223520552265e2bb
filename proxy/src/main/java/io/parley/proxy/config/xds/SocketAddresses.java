package io.parley.proxy.config.xds;

import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.parley.wire.name.DnsName;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Addresses as Envoy's resources write them. */
final class SocketAddresses {
    private static final InetSocketAddress STAND_IN = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private SocketAddresses() {}

    /** What may stand where an address is. */
    enum Names {
        REFUSED,

        /** They are looked up whenever they are dialled. */
        ALLOWED
    }

    static InetSocketAddress read(Address address, String path, Reading reading) {
        return read(address, Names.REFUSED, path, reading);
    }

    static InetSocketAddress read(Address address, Names names, String path, Reading reading) {
        SocketAddress socket = address.getSocketAddress();
        int port = socket.getPortValue();
        if (port < 0 || port > 65535) {
            reading.fail(
                    path + ".socket_address.port_value", Integer.toUnsignedString(port) + " (expected: at most 65535)");
            return STAND_IN;
        }
        if (names == Names.ALLOWED && isName(socket.getAddress())) {
            return InetSocketAddress.createUnresolved(socket.getAddress(), port);
        }
        return new InetSocketAddress(host(socket.getAddress(), path + ".socket_address.address", reading), port);
    }

    /** Digits alone are an address, well written or not. */
    private static boolean isName(String text) {
        return DnsName.isValid(text) && text.chars().anyMatch(c -> c != '.' && !Character.isDigit(c));
    }

    static InetAddress host(String text, String path, Reading reading) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            reading.fail(path, text + " (expected: an IP address)");
            return STAND_IN.getAddress();
        }
    }
}
