package io.parley.proxy.route;

import java.util.concurrent.atomic.AtomicInteger;

/** Keeps retries from making a bad moment worse: only so many at a time, in proportion to the requests there are. */
public final class RetryBudget {
    /** With few requests the proportion would forbid all retries. */
    private static final int ALWAYS_ALLOWED = 3;

    private final AtomicInteger retries = new AtomicInteger();

    /** Counts a retry in; false if there are too many under way. */
    public boolean enter(int requests, int percent) {
        int allowed = (int) Math.max(ALWAYS_ALLOWED, (long) requests * percent / 100);
        if (retries.incrementAndGet() > allowed) {
            retries.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Counts a retry out. */
    public void leave() {
        retries.decrementAndGet();
    }
}
