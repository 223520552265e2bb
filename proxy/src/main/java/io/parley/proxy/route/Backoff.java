package io.parley.proxy.route;

import java.time.Duration;

/** How long to wait before trying again: up to twice as long each time, by lot, so that many who failed together do not come back together. */
public final class Backoff {
    private static final int MAX_DOUBLINGS = 20;

    private Backoff() {}

    /**
     * The wait before a retry: never less than the base, but for one that is above the longest. It doubles before the lot, so that there is one for the
     * first retry too.
     *
     * @param attempt 1 for the first retry
     * @param chance from 0 to 1
     */
    public static Duration before(int attempt, Duration base, Duration longest, double chance) {
        int doublings = Math.min(attempt, MAX_DOUBLINGS);
        long most = longest.toNanos();
        // Compared from the other side, where nothing can overflow.
        long ceiling = base.toNanos() > most >> doublings ? most : base.toNanos() << doublings;
        long floor = Math.min(base.toNanos(), ceiling);
        return Duration.ofNanos(floor + (long) ((ceiling - floor) * chance));
    }
}
