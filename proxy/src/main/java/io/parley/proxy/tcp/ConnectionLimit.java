package io.parley.proxy.tcp;

import java.util.concurrent.atomic.AtomicInteger;

/** How many connections may be open at once. */
public final class ConnectionLimit {
    private final AtomicInteger open = new AtomicInteger();

    public int open() {
        return open.get();
    }

    /** Counts one more, unless that would be too many. */
    boolean enter(int limit) {
        if (open.incrementAndGet() > limit) {
            open.decrementAndGet();
            return false;
        }
        return true;
    }

    void leave() {
        open.decrementAndGet();
    }
}
