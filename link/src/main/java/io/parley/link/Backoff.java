package io.parley.link;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait after so many failures in a row: anywhere between the shortest wait and twice as much as last time, up to the
 * longest. The spread is the point: a thousand nodes that lost the same control plane come back one by one.
 */
public record Backoff(Duration shortest, Duration longest) {
    public static final Backoff RECONNECT = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    /** For a node that needs the control plane soon. */
    public static final Backoff URGENT = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(4));

    public static final Backoff RENEWAL = new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(5));

    private static final int MAX_DOUBLINGS = 20;

    public Backoff {
        if (shortest.isNegative() || shortest.isZero() || longest.compareTo(shortest) < 0) {
            throw new IllegalArgumentException(
                    "shortest: " + shortest + ", longest: " + longest + " (expected: 0 < shortest <= longest)");
        }
    }

    /** How long to wait after this many failures in a row, the last one included. */
    public Duration after(int failures, RandomGenerator random) {
        long bound =
                Math.min(longest.toMillis(), shortest.toMillis() << Math.min(Math.max(failures, 1), MAX_DOUBLINGS));
        return Duration.ofMillis(random.nextLong(shortest.toMillis(), bound + 1));
    }
}
