package io.parley.xds.client;

import io.parley.xds.client.loop.Backoff;
import io.parley.xds.client.loop.Loop;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Keeps client and server from telling each other the same thing without a pause: go-control-plane answers a refusal with what was just
 * refused, and does so hundreds of times a second. The first refusal in a row is told at once, of each further one of that type a
 * server hears twice as late. Anything else that is said of the type meanwhile tells it too, and so does the next answer: on delta
 * streams each answer is to be accepted or refused by its nonce.
 */
final class RefusalPauses {
    private static final Backoff PAUSES = new Backoff(Duration.ofMillis(333), Duration.ofSeconds(5), 2, 0.2);

    private final Loop loop;
    private final RandomGenerator random;
    private final Consumer<ResourceType> tell;
    private final Map<ResourceType, Integer> inRow = new EnumMap<>(ResourceType.class);
    private final Map<ResourceType, Loop.Timer> waiting = new EnumMap<>(ResourceType.class);

    /** With how the server is told what became of its last answer of a type. */
    RefusalPauses(Loop loop, RandomGenerator random, Consumer<ResourceType> tell) {
        this.loop = loop;
        this.random = random;
        this.tell = tell;
    }

    /** Another answer of this type has come: what is still to be said of the last one is said now. */
    void answered(ResourceType type) {
        if (waiting.containsKey(type)) {
            told(type);
            tell.accept(type);
        }
    }

    /** Lets the server be told what became of its answer, now or later. */
    void concluded(ResourceType type, Verdict verdict) {
        if (verdict.isAccepted()) {
            inRow.remove(type);
            tell.accept(type);
            return;
        }
        int before = inRow.getOrDefault(type, 0);
        inRow.put(type, before + 1);
        if (before == 0) {
            tell.accept(type);
        } else {
            waiting.put(type, loop.after(PAUSES.after(before, random), () -> {
                waiting.remove(type);
                tell.accept(type);
            }));
        }
    }

    /** The stream is gone, and what was to be said on it. */
    void clear() {
        waiting.values().forEach(Loop.Timer::cancel);
        waiting.clear();
        inRow.clear();
    }

    /** A request of this type has gone out, and with it what was to be said. */
    void told(ResourceType type) {
        Loop.Timer timer = waiting.remove(type);
        if (timer != null) {
            timer.cancel();
        }
    }
}
