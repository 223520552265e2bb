package io.parley.sync.cache;

import java.time.Duration;

/** When changes of one kind are due. Written by the follower's thread; its staleness is read by others. */
final class KindPace {
    private static final Duration NEVER = Duration.ofDays(1);

    private final long interval;
    private boolean publishedBefore;
    private long publishedAt;
    private boolean waiting;
    private volatile long waitingSince = Long.MIN_VALUE;

    KindPace(Duration interval) {
        this.interval = interval.toNanos();
    }

    void noted(long now) {
        if (!waiting) {
            waiting = true;
            waitingSince = now;
        }
    }

    boolean isDue(long now) {
        return waiting && (!publishedBefore || now - publishedAt >= interval);
    }

    Duration untilDue(long now) {
        if (!waiting) {
            return NEVER;
        }
        return isDue(now) ? Duration.ZERO : Duration.ofNanos(interval - (now - publishedAt));
    }

    void published(long now) {
        publishedBefore = true;
        publishedAt = now;
        waiting = false;
        waitingSince = Long.MIN_VALUE;
    }

    Duration staleness(long now) {
        long since = waitingSince;
        return since == Long.MIN_VALUE ? Duration.ZERO : Duration.ofNanos(Math.max(0, now - since));
    }
}
