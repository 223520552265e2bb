package io.parley.store;

import static io.parley.store.Samples.numberIn;
import static io.parley.store.Samples.numbered;
import static io.parley.store.Samples.timeout;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.resource.ResourceKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Random commits on few keys, done to a store and to a map with the plainest code that is right. */
final class RandomHistory {
    private record Row(long number, @Nullable ResourceKey owner, long revision) {}

    private static final int KEYS = 12;

    private final RandomGenerator random;
    private TreeMap<ResourceKey, Row> model = new TreeMap<>();
    private long revision;
    private int events;

    RandomHistory(RandomGenerator random) {
        this.random = random;
    }

    int events() {
        return events;
    }

    Set<ResourceKey> keys() {
        return model.keySet();
    }

    void step(ResourceStore store) {
        var changes = new ArrayList<Change>();
        var used = new HashSet<ResourceKey>();
        for (int i = random.nextInt(1, 5); i > 0; i--) {
            ResourceKey key = anyKey();
            if (used.add(key)) {
                changes.add(anyChange(key));
            }
        }
        boolean expected = apply(changes);
        boolean done = true;
        try {
            assertThat(store.commit(changes).revision()).isEqualTo(new Revision(revision));
        } catch (StoreException e) {
            assertThat(e.failure()).isInstanceOfAny(Failure.Conflict.class, Failure.OwnerMissing.class);
            done = false;
        }
        assertThat(done).as("%s on %s", changes, model).isEqualTo(expected);
    }

    private ResourceKey anyKey() {
        return timeout("s" + random.nextInt(2), "t" + random.nextInt(KEYS));
    }

    private Change anyChange(ResourceKey key) {
        Row row = model.get(key);
        Expected expected = switch (random.nextInt(8)) {
            case 0 -> Expected.absent();
            case 1 -> Expected.exactly(new Revision(random.nextLong(revision + 1)));
            case 2 -> row == null ? Expected.absent() : Expected.exactly(new Revision(row.revision));
            case 3 -> Expected.present();
            default -> Expected.anything();
        };
        if (random.nextInt(4) == 0) {
            return new Change.Delete(key, expected);
        }
        ResourceKey owner = random.nextInt(3) == 0 ? anyKey() : null;
        return new Change.Put(numbered(key, random.nextInt(3)), expected, key.equals(owner) ? null : owner);
    }

    private boolean apply(List<Change> changes) {
        var next = new TreeMap<>(model);
        int happened = 0;
        for (Change change : changes) {
            Row row = next.get(change.key());
            if (!change.expected().holds(row == null ? null : new Revision(row.revision))) {
                return false;
            }
            switch (change) {
                case Change.Put put -> {
                    if (put.owner() != null && !next.containsKey(put.owner())) {
                        return false;
                    }
                    long number = put.resource().spec().tree().path("number").asLong();
                    if (row == null || row.number != number || !Objects.equals(row.owner, put.owner())) {
                        next.put(put.key(), new Row(number, put.owner(), revision + 1));
                        happened++;
                    }
                }
                case Change.Delete delete -> happened += remove(next, delete.key());
            }
        }
        model = next;
        events += happened;
        revision += happened > 0 ? 1 : 0;
        return true;
    }

    private static int remove(Map<ResourceKey, Row> rows, ResourceKey key) {
        if (rows.remove(key) == null) {
            return 0;
        }
        int removed = 1;
        for (ResourceKey other : List.copyOf(rows.keySet())) {
            Row row = rows.get(other);
            removed += row != null && key.equals(row.owner) ? remove(rows, other) : 0;
        }
        return removed;
    }

    void assertSameState(ResourceStore store) {
        List<Stored> items =
                store.list(Query.of(Samples.TIMEOUT).withLimit(Query.MAX_LIMIT)).items();
        assertThat(items)
                .extracting(Stored::key)
                .containsExactlyElementsOf(model.keySet().stream()
                        .sorted(Comparator.comparing(Cursor::at))
                        .toList());
        for (Stored item : items) {
            Map.Entry<Long, Long> found =
                    Map.entry(numberIn(item), item.revision().number());
            Row row = model.get(item.key());
            assertThat(row).isEqualTo(new Row(found.getKey(), item.owner(), found.getValue()));
        }
    }
}
