package io.parley.sync.status;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a zone, from its first stream to its last.
 *
 * @param disconnected null as long as it lasts
 * @param generation grows while it lasts, so that one whose global control plane died can be told from one that is quiet
 */
record Subscription(
        String id,
        Instant connected,
        @Nullable Instant disconnected,
        @Nullable Instant updated,
        int generation,
        Map<String, KindCounts> counts) {
    Subscription {
        counts = Map.copyOf(counts);
    }

    static Subscription opened(String id, Instant at) {
        return new Subscription(id, at, null, null, 1, Map.of());
    }

    Subscription closed(Instant at) {
        return new Subscription(id, connected, at, updated, generation, counts);
    }

    Subscription counted(String kind, KindCounts more, Instant at) {
        Map<String, KindCounts> next = new TreeMap<>(counts);
        next.merge(kind, more, KindCounts::plus);
        return new Subscription(id, connected, disconnected, at, generation, next);
    }

    Subscription aged() {
        return new Subscription(id, connected, disconnected, updated, generation + 1, counts);
    }

    boolean isOpen() {
        return disconnected == null;
    }
}
