package io.parley.proxy;

import java.net.InetSocketAddress;

/** Addresses as people write them. */
public final class AddressText {
    private AddressText() {}

    /** Host and port, an address of IPv6 in brackets. */
    public static String of(InetSocketAddress address) {
        String host = host(address);
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** The address without its port; the name if it has not been looked up. */
    public static String host(InetSocketAddress address) {
        return address.isUnresolved()
                ? address.getHostString()
                : address.getAddress().getHostAddress();
    }
}
