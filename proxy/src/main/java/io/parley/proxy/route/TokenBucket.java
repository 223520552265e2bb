package io.parley.proxy.route;

import io.parley.proxy.http.RateLimit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets through so many in a time, and as many at once after a rest. Kept as the moment at which the bucket would be full (the generic
 * cell rate algorithm), so that one number holds all.
 */
public final class TokenBucket {
    private final long perTokenNanos;
    private final long capacityNanos;
    private final AtomicLong fullAt;

    public TokenBucket(RateLimit limit, long now) {
        capacityNanos = limit.interval().toNanos();
        perTokenNanos = Math.max(1, capacityNanos / Math.max(1, limit.requests()));
        fullAt = new AtomicLong(limit.requests() == 0 ? Long.MAX_VALUE / 2 + now : now);
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
