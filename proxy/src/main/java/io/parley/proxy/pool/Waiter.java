package io.parley.proxy.pool;

/** Somebody who wants a connection. Called once, on the event loop. */
public interface Waiter {
    void ready(Upstream upstream);

    void unavailable(String because);

    /** The server agreed to speak something else than it was expected to. */
    void mismatched(String found);
}
