package io.parley.xds.server;

import io.parley.xds.server.session.Refusal;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The streams that are open, and whether one more may be. */
final class StreamRegistry {
    private static final Logger log = LoggerFactory.getLogger(StreamRegistry.class);

    private final ServerLimits limits;
    private final OpenRate rate;
    private final Set<DiscoveryCall<?, ?>> calls = ConcurrentHashMap.newKeySet();
    private final AtomicInteger admitted = new AtomicInteger();
    private final AtomicLong ids = new AtomicLong();
    private volatile boolean draining;

    StreamRegistry(ServerLimits limits, long now) {
        this.limits = limits;
        rate = new OpenRate(limits.opensPerSecond(), limits.openBurst(), now);
    }

    /** Why a stream may not open, and when to try again. */
    record Busy(String reason, Refusal refusal, Duration retryAfter) {}

    Optional<Busy> admit(long now) {
        if (draining) {
            return busy("draining", Refusal.Code.UNAVAILABLE, "this server is going away", Duration.ZERO);
        }
        Duration wait = rate.admit(now);
        if (wait.isPositive()) {
            String message = "more than " + limits.opensPerSecond() + " streams opened per second";
            return busy("rate", Refusal.Code.UNAVAILABLE, message, wait);
        }
        if (admitted.incrementAndGet() > limits.streams()) {
            admitted.decrementAndGet();
            String message = "more than " + limits.streams() + " streams open";
            return busy("streams", Refusal.Code.RESOURCE_EXHAUSTED, message, Duration.ofSeconds(5));
        }
        return Optional.empty();
    }

    void released() {
        admitted.decrementAndGet();
    }

    long nextId() {
        return ids.incrementAndGet();
    }

    void add(DiscoveryCall<?, ?> call, long now) {
        calls.add(call);
        if (draining) {
            call.endAt(now); // it was admitted the moment before, and whoever began to drain did not see it
        }
    }

    Set<DiscoveryCall<?, ?>> calls() {
        return calls;
    }

    /** Moves time on for every stream: pauses that are over, heartbeats, readers that have stopped, streams told to go. */
    void tick(long now) {
        for (DiscoveryCall<?, ?> call : calls) {
            try {
                call.tick(now, limits.sendTimeout());
            } catch (RuntimeException fault) {
                log.error("fault in a stream: time goes on for the others", fault);
            }
        }
    }

    /** Asks every stream to end at some time of its own within the window, so that clients do not come back all at once. */
    void drain(Duration over, long now, RandomGenerator random) {
        draining = true;
        for (DiscoveryCall<?, ?> call : calls) {
            call.endAt(now + (long) (random.nextDouble() * over.toNanos()));
        }
    }

    private static Optional<Busy> busy(String reason, Refusal.Code code, String message, Duration retryAfter) {
        return Optional.of(new Busy(reason, new Refusal(code, message + ": try another, or later"), retryAfter));
    }
}
