package io.parley.control.gateway.attach;

import java.net.InetAddress;

/** IP addresses as texts. */
final class Addresses {
    private Addresses() {}

    static boolean isIp(String text) {
        try {
            var _ = InetAddress.ofLiteral(text);
            return true;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
