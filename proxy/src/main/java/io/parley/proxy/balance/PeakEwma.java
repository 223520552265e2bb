package io.parley.proxy.balance;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An endpoint's recent connect time: an average that forgets exponentially and jumps up to every peak at once, so that an endpoint
 * that turned slow is left alone before many connections have suffered, and is tried again as the memory of it fades.
 */
final class PeakEwma {
    /** What is assumed before the first measurement. */
    static final long DEFAULT_NANOS = Duration.ofMillis(30).toNanos();

    private static final long FLOOR_NANOS = Duration.ofMillis(1).toNanos();
    private static final double DECAY_NANOS = 10e9;

    private record State(double value, long at) {}

    private final AtomicReference<State> state;

    PeakEwma(long now) {
        state = new AtomicReference<>(new State((double) DEFAULT_NANOS, now));
    }

    /** Notes that a connect took this long. */
    void observe(long nanos, long now) {
        double sample = (double) Math.max(nanos, FLOOR_NANOS);
        state.updateAndGet(old -> {
            double weight = weight(old, now);
            return new State((sample > old.value) ? sample : old.value * weight + sample * (1 - weight), now);
        });
    }

    /** The average as of now; without new measurements it sinks towards the floor. */
    double value(long now) {
        State current = state.get();
        return Math.max((double) FLOOR_NANOS, current.value * weight(current, now));
    }

    private static double weight(State old, long now) {
        return Math.exp(-(double) Math.max(0, now - old.at) / DECAY_NANOS);
    }
}
