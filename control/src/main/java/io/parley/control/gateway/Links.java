package io.parley.control.gateway;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Who rests on what. Confined to one thread. */
final class Links<W, T> {
    private final Map<T, Set<W>> users = new HashMap<>();
    private final Map<W, Set<T>> used = new HashMap<>();

    Set<W> of(T thing) {
        return Set.copyOf(users.getOrDefault(thing, Set.of()));
    }

    /** From now on it rests on these and nothing else. */
    void replace(W who, Set<T> things) {
        Set<T> before = used.getOrDefault(who, Set.of());
        if (before.equals(things)) {
            return;
        }
        before.forEach(thing -> users.computeIfPresent(thing, (_, all) -> {
            all.remove(who);
            return all.isEmpty() ? null : all;
        }));
        things.forEach(thing ->
                users.computeIfAbsent(thing, _ -> new LinkedHashSet<>()).add(who));
        if (things.isEmpty()) {
            used.remove(who);
        } else {
            used.put(who, Set.copyOf(things));
        }
    }
}
