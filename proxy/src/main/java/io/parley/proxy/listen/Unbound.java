package io.parley.proxy.listen;

import io.netty.channel.unix.Errors;
import io.parley.proxy.AddressText;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
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

    /** With what to do, for people. */
    public String text() {
        return text("listener " + listener);
    }

    /** The same, for who knows what asks for it. */
    String text(String place) {
        String remedy = switch (obstacle) {
            case NO_ADDRESS -> "an address that this machine has";
            case NO_PORT -> "another port, or end what has this one";
        };
        return "cannot listen on " + AddressText.of(address) + ": " + message + " (" + place + ": " + remedy + ")";
    }

    /** Linux's EADDRNOTAVAIL. */
    private static final int NO_SUCH_ADDRESS = 99;

    static Unbound of(String listener, InetSocketAddress address, Throwable cause) {
        return new Unbound(
                listener,
                address,
                isNobodys(address, cause) ? Obstacle.NO_ADDRESS : Obstacle.NO_PORT,
                String.valueOf(cause.getMessage()));
    }

    /** Epoll says it by number. The JDK has but a text, in the language of the machine, so its interfaces are looked at instead. */
    private static boolean isNobodys(InetSocketAddress address, Throwable cause) {
        if (address.isUnresolved()) {
            return true;
        }
        if (cause instanceof Errors.NativeIoException failed) {
            return failed.expectedErr() == -NO_SUCH_ADDRESS;
        }
        InetAddress wanted = address.getAddress();
        try {
            return !wanted.isAnyLocalAddress()
                    && !wanted.isLoopbackAddress()
                    && NetworkInterface.getByInetAddress(wanted) == null;
        } catch (SocketException e) {
            return false;
        }
    }
}
