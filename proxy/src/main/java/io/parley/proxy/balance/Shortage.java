package io.parley.proxy.balance;

import io.netty.channel.ChannelException;
import io.parley.proxy.tls.NoCertificateException;
import java.net.BindException;
import java.net.ConnectException;

/** Tells what this machine lacks from what is wrong with the other one. */
final class Shortage {
    /**
     * No port of its own is left (EADDRNOTAVAIL), or no memory for the socket (ENOMEM, ENOBUFS). Netty's epoll puts the number into nothing but the
     * text; it is the same on all machines that its native part is made for.
     */
    private static final int[] ERRORS = {99, 12, 105};

    private Shortage() {}

    /** Whether a connection came to nothing for want of something here. */
    static boolean isBehind(Throwable cause) {
        if (cause instanceof NoCertificateException) {
            return true;
        }
        // No file descriptor is left, or there are no such addresses here.
        if (cause instanceof ChannelException || cause instanceof BindException) {
            return true;
        }
        // Netty wraps what the JDK says, to add the address; the JDK's word for EADDRNOTAVAIL is what it would say of a
        // bind.
        if (cause.getCause() instanceof BindException) {
            return true;
        }
        return cause instanceof ConnectException && cause.getMessage() != null && tells(cause.getMessage());
    }

    private static boolean tells(String message) {
        for (int error : ERRORS) {
            if (message.contains("failed with error(-" + error + ")")) {
                return true;
            }
        }
        return false;
    }
}
