package io.parley.proxy.route;

import java.time.Duration;

/** How long to wait before trying again: twice as long each time, by lot, so that many who failed together do not come back together. */
public final class Backoff {
    private static final int MAX_DOUBLINGS = 20;

    private Backoff() {}

    /**
     * The wait before a retry.
     *
     * @param attempt 1 for the first retry
     * @param chance from 0 to 1
     */
    public static Duration before(int attempt, Duration base, Duration longest, double chance) {
        long ceiling = Math.min(longest.toNanos(), base.toNanos() << Math.min(attempt - 1, MAX_DOUBLINGS));
        long floor = Math.min(base.toNanos(), ceiling);
        return Duration.ofNanos(floor + (long) ((ceiling - floor) * chance));
    }
}
