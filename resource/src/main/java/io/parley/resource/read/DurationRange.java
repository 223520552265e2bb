package io.parley.resource.read;

import java.time.Duration;

/**
 * Durations longer than a bound.
 *
 * @param above what it must exceed
 */
public record DurationRange(Duration above, String words) {
    public static final DurationRange ABOVE_ZERO = new DurationRange(Duration.ZERO, "above 0");
    public static final DurationRange NOT_NEGATIVE = new DurationRange(Duration.ofNanos(-1), "of at least 0");

    boolean contains(Duration duration) {
        return duration.compareTo(above) > 0;
    }

    @Override
    public String toString() {
        return "a duration " + words + " with its unit, such as 5s, 100ms or 1h30m";
    }
}
