package io.parley.proxy.pool;

/** A connection to an endpoint. */
public interface Upstream {
    /** Begins a request, whose answer goes to {@code answers}. */
    ClientStream begin(Answers answers);

    /** Whether one more request can begin. */
    boolean hasRoom();

    boolean isOpen();

    /** Ends the connection; requests that are under way end with it. */
    void close();

    /** When the last request ended, by the ticker. */
    long idleSince();
}
