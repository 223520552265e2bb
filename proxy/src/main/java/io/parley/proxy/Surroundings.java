package io.parley.proxy;

import java.time.Clock;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Time and chance, which nothing in the proxy takes for itself.
 *
 * @param ticker nanoseconds from an arbitrary start, never going back
 * @param clock the time of day, for certificates and logs
 * @param chance a generator for the calling thread
 */
public record Surroundings(LongSupplier ticker, Clock clock, Supplier<? extends RandomGenerator> chance) {
    /** The machine's own. */
    public static Surroundings real() {
        return new Surroundings(EventTime::nanos, Clock.systemUTC(), ThreadLocalRandom::current);
    }
}
