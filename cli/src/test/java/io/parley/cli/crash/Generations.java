package io.parley.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Change;
import io.parley.store.Cursor;
import io.parley.store.Expected;
import io.parley.store.Page;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.Stored;
import io.parley.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Policies that are all replaced at once, again and again, while nobody has the store open. Each says of which generation it is, and every
 * other generation has fewer of them, so a copy of the kind that is half of one and half of the other is told by its members.
 */
final class Generations {
    static final int MOST = 1_500;
    private static final int FEWEST = 1_200;
    private static final KindId TIMEOUT = new KindId("MeshTimeout");
    private static final String GENERATION = "generation";

    private Generations() {}

    static int size(int generation) {
        return generation % 2 == 0 ? MOST : FEWEST;
    }

    /** Replaces all policies of {@code prefix} in a store that no process has open. */
    static void write(Path data, String prefix, Map<String, String> labels, int generation) {
        Map<String, String> marked = new HashMap<>(labels);
        marked.put(GENERATION, Integer.toString(generation));
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            // Long names: the kind is more than one message.
            ResourceKey key = new ResourceKey(TIMEOUT, "default", prefix + "-" + "p".repeat(220) + "-" + i);
            changes.add(
                    i < size(generation)
                            ? new Change.Put(Resource.of(key, spec()).withLabels(marked), Expected.anything(), null)
                            : new Change.Delete(key, Expected.anything()));
        }
        try (ResourceStore store = open(data)) {
            store.commit(changes);
        }
    }

    /** The one generation of which the copies under {@code prefix} are, all of it; 0 if there is none. */
    static int verify(Path data, String prefix) {
        Set<String> found = new HashSet<>();
        int count = 0;
        try (ResourceStore store = open(data)) {
            Cursor after = null;
            do {
                Page page =
                        store.list(Query.of(TIMEOUT).withLimit(Query.MAX_LIMIT).startingAfter(after));
                for (Stored stored : page.items()) {
                    if (stored.key().name().startsWith(prefix + "-")) {
                        found.add(stored.resource().labels().getOrDefault(GENERATION, "none"));
                        count++;
                    }
                }
                after = page.next();
            } while (after != null);
        }
        assertThat(found).as("generations in %s", data).hasSizeLessThan(2);
        int generation = found.stream().mapToInt(Integer::parseInt).sum();
        assertThat(count).as("members of generation %s", generation).isEqualTo(generation == 0 ? 0 : size(generation));
        return generation;
    }

    private static ResourceStore open(Path data) {
        return SqliteStore.open(data, Retention.DEFAULT, InstantSource.system());
    }

    private static Document spec() {
        return new Document("{\"targetRef\":{\"kind\":\"Mesh\"},\"to\":[{\"targetRef\":{\"kind\":\"Mesh\"},"
                + "\"default\":{\"idleTimeout\":\"20s\"}}]}");
    }
}
