package io.parley.proxy.route;

import io.parley.proxy.http.RateLimit;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets through so many in a time, and as many at once after a rest. Kept as the moment at which the bucket would be full (the generic
 * cell rate algorithm), so that one number holds all.
 */
public final class TokenBucket {
    /** Some seventy years: who must wait for longer gets nothing. */
    private static final long MOST_NANOS = Long.MAX_VALUE >> 2;

    private final long perTokenNanos;
    private final long capacityNanos;
    private final AtomicLong fullAt;

    public TokenBucket(RateLimit limit, long now) {
        Duration perToken = limit.interval().dividedBy(Math.max(1, limit.requests()));
        perTokenNanos = perToken.toSeconds() >= TimeUnit.NANOSECONDS.toSeconds(MOST_NANOS)
                ? MOST_NANOS
                : Math.max(1, perToken.toNanos());
        capacityNanos = limit.requests() > MOST_NANOS / perTokenNanos ? MOST_NANOS : perTokenNanos * limit.requests();
        fullAt = new AtomicLong(now);
    }

    /** Takes a token; false if there is none. */
    public boolean take(long now) {
        while (true) {
            long full = fullAt.get();
            long next = Math.max(full, now) + perTokenNanos;
            if (next - now > capacityNanos) {
                return false;
            }
            if (fullAt.compareAndSet(full, next)) {
                return true;
            }
        }
    }
}
