package io.parley.proxy.tcp;

import io.parley.proxy.config.ListenerConfig;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many connections may come in a second: a bucket that fills evenly and holds one burst. It is kept as the moment at which the
 * bucket will be full again, so one number is all its state.
 */
final class ConnectionRate {
    private final AtomicLong fullAt;

    ConnectionRate(long now) {
        fullAt = new AtomicLong(now);
    }

    /** Takes one connection out of the bucket, if there is one. */
    boolean admit(ListenerConfig.Limits limits, long now) {
        if (limits.perSecond() == 0) {
            return true;
        }
        long each = TimeUnit.SECONDS.toNanos(1) / limits.perSecond();
        long depth = each * Math.max(1, limits.burst());
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
