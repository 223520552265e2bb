package io.parley.proxy;

import java.nio.channels.ClosedChannelException;

/** What has gone wrong with a connection, in words for the log. */
public final class Failures {
    private Failures() {}

    /** What is behind a failure says more than what it was wrapped in: a TLS library knows only that there was a problem. */
    public static String text(Throwable failure) {
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        if (deepest instanceof ClosedChannelException) {
            return "the other side closed the connection";
        }
        String said = deepest.getMessage();
        return said == null || said.isBlank() ? deepest.getClass().getSimpleName() : said;
    }
}
