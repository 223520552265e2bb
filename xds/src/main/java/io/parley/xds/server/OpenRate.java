package io.parley.xds.server;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Admits so many streams per second and a burst: the generic cell rate algorithm, whose whole state is the time at which the bucket would
 * be full again.
 */
final class OpenRate {
    private final long interval;
    private final long tolerance;
    private final AtomicLong fullAgainAt;

    OpenRate(int perSecond, int burst, long now) {
        interval = Duration.ofSeconds(1).toNanos() / perSecond;
        tolerance = interval * (burst - 1L);
        fullAgainAt = new AtomicLong(now);
    }

    /** Nothing if admitted, else how long until one would be. */
    Duration admit(long now) {
        while (true) {
            long seen = fullAgainAt.get();
            long base = seen - now > 0 ? seen : now;
            long wait = base - now - tolerance;
            if (wait > 0) {
                return Duration.ofNanos(wait);
            }
            if (fullAgainAt.compareAndSet(seen, base + interval)) {
                return Duration.ZERO;
            }
        }
    }
}
