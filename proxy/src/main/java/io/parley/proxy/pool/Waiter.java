package io.parley.proxy.pool;

/** Somebody who wants a connection. Called once, on the event loop. */
public interface Waiter {
    void ready(Upstream upstream);

    void unavailable(String because);
}
