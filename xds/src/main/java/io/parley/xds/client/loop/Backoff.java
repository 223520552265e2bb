package io.parley.xds.client.loop;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt. The defaults are those of the gRPC connection backoff document.
 *
 * @param jitter share of the delay by which it may be longer or shorter, so that clients do not come back together
 */
public record Backoff(Duration initial, Duration longest, double factor, double jitter) {
    public static final Backoff DEFAULT = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(120), 1.6, 0.2);

    public Backoff {
        if (!initial.isPositive() || longest.compareTo(initial) < 0 || factor < 1 || jitter < 0 || jitter >= 1) {
            throw new IllegalArgumentException("backoff: " + initial + ", " + longest + ", " + factor + ", " + jitter
                    + " (expected: 0 < initial <= longest, factor >= 1, 0 <= jitter < 1)");
        }
    }

    /** The delay after so many failures in a row; none and one both give the initial delay. */
    public Duration after(int failures, RandomGenerator random) {
        double grown = (double) initial.toNanos() * Math.pow(factor, Math.max(0, failures - 1));
        double delay = Math.min(grown, (double) longest.toNanos());
        return Duration.ofNanos(Math.round(delay * (1 + jitter * (2 * random.nextDouble() - 1))));
    }

    /** The same, less the time that the failed attempt lasted: who held out long is back at once. */
    public Duration after(int failures, Duration lasted, RandomGenerator random) {
        Duration delay = after(failures, random).minus(lasted);
        return delay.isNegative() ? Duration.ZERO : delay;
    }
}
