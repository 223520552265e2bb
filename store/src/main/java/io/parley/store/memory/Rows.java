package io.parley.store.memory;

import io.parley.resource.KindId;
import io.parley.resource.ResourceKey;
import io.parley.store.Cursor;
import io.parley.store.Event;
import io.parley.store.Page;
import io.parley.store.Query;
import io.parley.store.Revision;
import io.parley.store.Stored;
import io.parley.store.engine.Reads;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The present state, by kind in the order of lists, and who owns whom. Guarded by its store's lock. */
final class Rows {
    private final Map<KindId, NavigableMap<Cursor, Stored>> kinds = new HashMap<>();
    private final Map<ResourceKey, Set<ResourceKey>> owned = new HashMap<>();

    Optional<Stored> find(ResourceKey key) {
        return Optional.ofNullable(kind(key.kind()).get(Cursor.at(key)));
    }

    Page list(Query query, Revision revision) {
        NavigableMap<Cursor, Stored> rows = kind(query.kind());
        NavigableMap<Cursor, Stored> left = query.after() == null ? rows : rows.tailMap(query.after(), false);
        boolean all = query.space() == null && query.labels().isEmpty();
        List<Stored> items = left.values().stream()
                .filter(stored -> all || matches(query, stored))
                .limit(query.limit() + 1L)
                .toList();
        long total = all
                ? rows.size()
                : rows.values().stream()
                        .filter(stored -> matches(query, stored))
                        .count();
        boolean more = items.size() > query.limit();
        List<Stored> page = more ? items.subList(0, query.limit()) : items;
        return new Page(page, total, more ? Cursor.at(page.getLast().key()) : null, revision);
    }

    private static boolean matches(Query query, Stored stored) {
        return (query.space() == null || query.space().equals(stored.key().space()))
                && stored.resource()
                        .labels()
                        .entrySet()
                        .containsAll(query.labels().entrySet());
    }

    Collection<Stored> read(Reads reads) {
        var found = new LinkedHashMap<ResourceKey, Stored>();
        reads.keys().forEach(key -> find(key).ifPresent(stored -> found.put(key, stored)));
        var seen = new TreeSet<ResourceKey>();
        List<ResourceKey> open = new ArrayList<>(reads.roots());
        while (!open.isEmpty()) {
            ResourceKey key = open.removeLast();
            if (seen.add(key)) {
                find(key).ifPresent(stored -> found.put(key, stored));
                open.addAll(owned.getOrDefault(key, Set.of()));
            }
        }
        return found.values();
    }

    void apply(Event event) {
        forget(event.key());
        switch (event) {
            case Event.Written(Stored stored) -> keep(stored);
            case Event.Deleted _ -> {}
        }
    }

    private void keep(Stored stored) {
        kinds.computeIfAbsent(stored.key().kind(), _ -> new TreeMap<>()).put(Cursor.at(stored.key()), stored);
        if (stored.owner() != null) {
            owned.computeIfAbsent(stored.owner(), _ -> new TreeSet<>()).add(stored.key());
        }
    }

    private void forget(ResourceKey key) {
        Stored stored = kind(key.kind()).remove(Cursor.at(key));
        if (stored != null && stored.owner() != null) {
            owned.computeIfPresent(stored.owner(), (_, keys) -> {
                keys.remove(key);
                return keys.isEmpty() ? null : keys;
            });
        }
    }

    private NavigableMap<Cursor, Stored> kind(KindId kind) {
        return kinds.getOrDefault(kind, new TreeMap<>());
    }
}
