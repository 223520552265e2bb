package io.parley.wire.proxyprotocol;

import io.netty.buffer.ByteBuf;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;

/** The human-readable form: one line of at most 107 bytes. */
final class Version1 {
    private static final int MAX_LINE = 107;

    private Version1() {}

    static ProxyRead read(ByteBuf in) {
        int limit = Math.min(MAX_LINE, in.readableBytes());
        int lineFeed = in.indexOf(in.readerIndex(), in.readerIndex() + limit, (byte) '\n') - in.readerIndex();
        if (lineFeed < 0) {
            return limit == MAX_LINE
                    ? malformed("no end of line within " + MAX_LINE + " bytes")
                    : new ProxyRead.NeedMore(limit + 1);
        }
        String line = in.toString(in.readerIndex(), lineFeed, StandardCharsets.ISO_8859_1);
        if (!line.endsWith("\r")) {
            return malformed("a line feed without a carriage return");
        }
        return parse(line.substring(0, line.length() - 1).split(" ", -1), lineFeed + 1);
    }

    private static ProxyRead parse(String[] words, int length) {
        if (words[1].equals("UNKNOWN")) {
            return new ProxyRead.Found(null, length);
        }
        boolean ipv4 = words[1].equals("TCP4");
        if (!ipv4 && !words[1].equals("TCP6")) {
            return malformed("protocol is not TCP4, TCP6 or UNKNOWN");
        }
        if (words.length != 6) {
            return malformed("words: " + words.length + " (expected: 6)");
        }
        try {
            return new ProxyRead.Found(
                    new ProxiedAddresses(address(words[2], words[4], ipv4), address(words[3], words[5], ipv4)), length);
        } catch (IllegalArgumentException e) {
            return malformed(String.valueOf(e.getMessage()));
        }
    }

    private static InetSocketAddress address(String host, String port, boolean ipv4) {
        boolean wellFormed = ipv4
                ? NetUtil.isValidIpV4Address(host)
                : NetUtil.isValidIpV6Address(host) && host.indexOf('%') < 0 && host.indexOf('[') < 0;
        if (!wellFormed) {
            throw new IllegalArgumentException("not an address of the announced family");
        }
        if (port.isEmpty()
                || port.length() > 5
                || !port.chars().allMatch(c -> '0' <= c && c <= '9')
                || (port.length() > 1 && port.charAt(0) == '0')
                || Integer.parseInt(port) > 65535) {
            throw new IllegalArgumentException("not a port from 0 to 65535");
        }
        try {
            byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
            return new InetSocketAddress(InetAddress.getByAddress(bytes), Integer.parseInt(port));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not an address", e);
        }
    }

    private static ProxyRead malformed(String because) {
        return new ProxyRead.Malformed(because);
    }
}
