package io.parley.proxy.pool;

/** Somebody who wants a connection. Called once, on the event loop. */
public interface Waiter {
    void ready(Upstream upstream);

    void unavailable(String because);

    /** This machine lacks what it takes to connect. Nobody was asked, so nobody is to blame. */
    default void hindered(String because) {
        unavailable(because);
    }

    /** Too many wait already. Nobody was asked, so nobody is to blame. */
    default void turnedAway(String because) {
        unavailable(because);
    }

    /** The server agreed to speak something else than it was expected to. */
    void mismatched(String found);
}
