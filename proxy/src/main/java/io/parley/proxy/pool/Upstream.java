package io.parley.proxy.pool;

import org.jspecify.annotations.Nullable;

/** A connection to an endpoint. */
public interface Upstream {
    /** Begins a request, whose answer goes to {@code answers}. */
    ClientStream begin(Answers answers);

    /** Whether one more request can begin. */
    boolean hasRoom();

    /** Whether it takes requests, be it only when others have ended: it does not while there is doubt whether anybody is at its other end. */
    boolean isOpen();

    /** Whether several requests can be under way at the same time. */
    boolean isShared();

    /** What the server spoke instead of what it was expected to; null if it has kept to that so far. */
    @Nullable
    String surprise();

    /** Ends the connection; requests that are under way end with it. */
    void close();

    /** When the last request ended, by the ticker. */
    long idleSince();
}
