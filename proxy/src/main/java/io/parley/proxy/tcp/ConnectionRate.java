package io.parley.proxy.tcp;

import io.parley.proxy.config.ListenerConfig;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How often connections may come: a bucket that fills evenly and holds one burst. It is kept as the moment at which the
 * bucket will be full again, so one number is all its state.
 */
final class ConnectionRate {
    private final AtomicLong fullAt;

    ConnectionRate(long now) {
        fullAt = new AtomicLong(now);
    }

    /** Takes one connection out of the bucket, if there is one. */
    boolean admit(ListenerConfig.Limits limits, long now) {
        if (limits.every().isZero()) {
            return true;
        }
        long each = limits.every().toNanos();
        long depth = each * Math.clamp(limits.burst(), 1, Long.MAX_VALUE / 2 / each);
        while (true) {
            long known = fullAt.get();
            long next = Math.max(known - now, 0) + each;
            if (next > depth) {
                return false;
            }
            if (fullAt.compareAndSet(known, now + next)) {
                return true;
            }
        }
    }
}
