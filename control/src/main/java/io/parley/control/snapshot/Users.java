package io.parley.control.snapshot;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Which proxies use which things. Confined to one thread. */
final class Users<T> {
    private final Map<T, Set<ProxyKey>> users = new HashMap<>();
    private final Map<ProxyKey, Set<T>> used = new HashMap<>();

    Set<ProxyKey> of(T thing) {
        return Set.copyOf(users.getOrDefault(thing, Set.of()));
    }

    /** From now on a proxy uses these and nothing else. */
    void replace(ProxyKey key, Set<T> things) {
        Set<T> before = used.getOrDefault(key, Set.of());
        if (before.equals(things)) {
            return;
        }
        before.forEach(thing -> users.computeIfPresent(thing, (_, keys) -> {
            keys.remove(key);
            return keys.isEmpty() ? null : keys;
        }));
        things.forEach(thing ->
                users.computeIfAbsent(thing, _ -> new LinkedHashSet<>()).add(key));
        if (things.isEmpty()) {
            used.remove(key);
        } else {
            used.put(key, Set.copyOf(things));
        }
    }
}
