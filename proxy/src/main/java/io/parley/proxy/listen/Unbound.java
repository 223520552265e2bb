package io.parley.proxy.listen;

import java.net.InetSocketAddress;
import java.util.Locale;

/**
 * A listener that is wanted and cannot be there.
 *
 * @param message what the system says to it
 */
public record Unbound(String listener, InetSocketAddress address, Obstacle obstacle, String message) {
    /** What is in the way. */
    public enum Obstacle {
        /** The machine has no such address. */
        NO_ADDRESS,
        /** Somebody has the port, or this proxy may not have it. */
        NO_PORT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    static Unbound of(String listener, InetSocketAddress address, Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        // EADDRNOTAVAIL: neither the JDK nor Netty has a type of its own for it.
        boolean unknown = message.contains("assign requested address") || address.isUnresolved();
        return new Unbound(listener, address, unknown ? Obstacle.NO_ADDRESS : Obstacle.NO_PORT, message);
    }
}
