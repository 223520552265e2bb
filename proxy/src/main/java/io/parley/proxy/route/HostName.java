package io.parley.proxy.route;

import java.util.Locale;

/** Whom a request is for, in the one form in which names of hosts are compared. */
final class HostName {
    private HostName() {}

    /** In small letters and without a trailing dot, before a port too: DNS and servers take them for the same host. */
    static String of(String authority) {
        String small = authority.toLowerCase(Locale.ROOT);
        int end = end(small);
        return end > 0 && small.charAt(end - 1) == '.' ? small.substring(0, end - 1) + small.substring(end) : small;
    }

    static String withoutPort(String authority) {
        return authority.substring(0, end(authority));
    }

    /** RFC 3986 3.2.2: an IPv6 address is in brackets, so the last colon after them is the port's. */
    private static int end(String authority) {
        int colon = authority.lastIndexOf(':');
        return colon > authority.lastIndexOf(']') ? colon : authority.length();
    }
}
