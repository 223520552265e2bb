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
        /** Somebody has the port. */
        NO_PORT,
        /** This proxy may not have the port. */
        NOT_ALLOWED;

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
            case NOT_ALLOWED -> "a port from 1024 on, or CAP_NET_BIND_SERVICE for this process";
        };
        return "cannot listen on " + AddressText.of(address) + ": " + message + " (" + place + ": " + remedy + ")";
    }

    /** Linux's EADDRNOTAVAIL. */
    private static final int NO_SUCH_ADDRESS = 99;

    /** Linux's EACCES. */
    private static final int ACCESS_DENIED = 13;

    static Unbound of(String listener, InetSocketAddress address, Throwable cause) {
        return new Unbound(listener, address, obstacle(address, cause), String.valueOf(cause.getMessage()));
    }

    private static Obstacle obstacle(InetSocketAddress address, Throwable cause) {
        if (cause instanceof Errors.NativeIoException failed && failed.expectedErr() == -ACCESS_DENIED) {
            return Obstacle.NOT_ALLOWED;
        }
        return isNobodys(address, cause) ? Obstacle.NO_ADDRESS : Obstacle.NO_PORT;
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
