package io.parley.store.sqlite;

import static io.parley.store.Samples.mesh;
import static io.parley.store.Samples.numberIn;
import static io.parley.store.Samples.timeout;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.resource.ResourceKey;
import io.parley.store.ResourceStore;
import io.parley.store.Stored;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What {@link CrashWriter}s said that they wrote, held against what is there. */
public final class CrashCheck {
    static final ResourceKey LAST = mesh("last");
    private static final int PAIRS = 50;

    private final Set<Long> tried = new HashSet<>();
    private final List<Long> acknowledged = new ArrayList<>();
    private int refused;

    static ResourceKey left(long number) {
        return timeout("left", "t" + number % PAIRS);
    }

    static ResourceKey right(long number) {
        return timeout("right", "t" + number % PAIRS);
    }

    static long lastNumber(ResourceStore store) {
        return number(store, LAST);
    }

    private static long number(ResourceStore store, ResourceKey key) {
        return store.find(key).map((Stored stored) -> numberIn(stored)).orElse(0L);
    }

    /** Takes in a line of a writer's output, which may be cut off. */
    void note(String line) {
        String[] words = line.split(" ", 3);
        switch (words[0]) {
            case "try" -> tried.add(Long.parseLong(words[1]));
            case "ack" -> acknowledged.add(Long.parseLong(words[1]));
            case "refused" -> refused++;
            default -> {}
        }
    }

    int acknowledged() {
        return acknowledged.size();
    }

    int refused() {
        return refused;
    }

    /** Every acknowledged write is there, or one that came after it; none is half there; none is there that nobody tried. */
    void assertNothingLost(ResourceStore store) {
        Map<Long, Long> lastOfSlot = new HashMap<>();
        acknowledged.forEach(number -> lastOfSlot.merge(number % PAIRS, number, Math::max));
        for (long slot = 0; slot < PAIRS; slot++) {
            long left = number(store, left(slot));
            assertThat(left).as("half a commit in slot %d", slot).isEqualTo(number(store, right(slot)));
            assertThat(left).as("lost in slot %d", slot).isGreaterThanOrEqualTo(lastOfSlot.getOrDefault(slot, 0L));
            assertThat(left == 0 || tried.contains(left))
                    .as("never tried: %d", left)
                    .isTrue();
        }
        assertThat(lastNumber(store))
                .isGreaterThanOrEqualTo(
                        lastOfSlot.values().stream().max(Long::compare).orElse(0L));
    }
}
