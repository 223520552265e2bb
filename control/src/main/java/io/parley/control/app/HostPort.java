package io.parley.control.app;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Where to listen, as people write it: {@code 127.0.0.1:5681}, {@code [::1]:0}, {@code :5678} for every address. */
public record HostPort(String host, int port) {
    public static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            colon = -1;
        }
        if (colon < 0 || !text.substring(colon + 1).matches("[0-9]{1,5}")) {
            throw expected(text);
        }
        int port = Integer.parseInt(text.substring(colon + 1));
        if (port > 65535) {
            throw expected(text);
        }
        return new HostPort(host, port);
    }

    public InetSocketAddress address() {
        InetSocketAddress address = host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new IllegalArgumentException(
                    this + " (expected: HOST:PORT with an address of this machine, or a name for one)");
        }
        return address;
    }

    public boolean isLoopback() {
        InetAddress address = address().getAddress();
        return address.isLoopbackAddress();
    }

    private static IllegalArgumentException expected(String text) {
        return new IllegalArgumentException(text + " (expected: HOST:PORT, such as 127.0.0.1:5681)");
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
