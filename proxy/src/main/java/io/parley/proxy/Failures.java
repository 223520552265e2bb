package io.parley.proxy;

import java.nio.channels.ClosedChannelException;
import javax.net.ssl.SSLException;

/** What has gone wrong with a connection, in words for the log. */
public final class Failures {
    private Failures() {}

    /** Of TLS that has failed a library knows only that there was a problem; what was behind it says more. */
    public static String text(Throwable failure) {
        Throwable telling = failure;
        while (telling.getCause() != null && (telling instanceof SSLException || saysNothing(telling))) {
            telling = telling.getCause();
        }
        if (telling instanceof ClosedChannelException) {
            return "the other side closed the connection";
        }
        return saysNothing(telling) ? telling.getClass().getSimpleName() : String.valueOf(telling.getMessage());
    }

    private static boolean saysNothing(Throwable failure) {
        return failure.getMessage() == null || failure.getMessage().isBlank();
    }
}
