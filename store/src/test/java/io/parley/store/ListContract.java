package io.parley.store;

import static io.parley.store.Samples.TIMEOUT;
import static io.parley.store.Samples.delete;
import static io.parley.store.Samples.mesh;
import static io.parley.store.Samples.numbered;
import static io.parley.store.Samples.put;
import static io.parley.store.Samples.timeout;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.resource.Document;
import io.parley.resource.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a list shows, in which order, and that paging loses nothing while others write. */
interface ListContract extends StoreFixture {
    @Test
    default void listsOneKindInTheOrderOfSpaceAndName() {
        ResourceStore store = fresh();
        store.commit(List.of(
                put(timeout("b", "a"), 1), put(timeout("a", "z"), 2), put(timeout("a", "B"), 3), put(mesh("a"), 4)));
        Page page = store.list(Query.of(TIMEOUT));
        assertThat(page.items())
                .extracting(Stored::key)
                .containsExactly(timeout("a", "B"), timeout("a", "z"), timeout("b", "a"));
        assertThat(page.total()).isEqualTo(3);
        assertThat(page.next()).isNull();
        assertThat(page.revision()).isEqualTo(store.revision());
    }

    @Test
    default void ordersNamesByCodePoint() {
        ResourceStore store = fresh();
        var names = List.of("A", "a", "a-b", "a.b", "aa", "z", "ä", "ﬀ", "\uffff", "😀");
        names.reversed().forEach(name -> store.put(numbered(timeout(name), 1), Expected.absent()));
        assertThat(namesOnAllPages(store, Query.of(TIMEOUT).withLimit(3))).isEqualTo(names);
    }

    @Test
    default void listsOneSpaceOnly() {
        ResourceStore store = fresh();
        store.commit(List.of(put(timeout("a", "t"), 1), put(timeout("", "t"), 2), put(timeout("b", "t"), 3)));
        assertThat(store.list(Query.of(TIMEOUT).inSpace("b")).items())
                .extracting(Stored::key)
                .containsExactly(timeout("b", "t"));
        Page global = store.list(Query.of(TIMEOUT).inSpace(""));
        assertThat(global.items()).extracting(Stored::key).containsExactly(timeout("", "t"));
        assertThat(global.total()).isEqualTo(1);
    }

    @Test
    default void listsThoseThatBearAllLabels() {
        ResourceStore store = fresh();
        label(store, "both", Map.of("zone", "east", "team", "a"));
        label(store, "one", Map.of("zone", "east"));
        label(store, "other", Map.of("zone", "west", "team", "a"));
        label(store, "none", Map.of());
        var east = Query.of(TIMEOUT).withLabels(Map.of("zone", "east"));
        assertThat(namesOnAllPages(store, east)).containsExactly("both", "one");
        assertThat(store.list(east.withLimit(1)).total()).isEqualTo(2);
        assertThat(namesOnAllPages(store, east.withLabels(Map.of("zone", "east", "team", "a"))))
                .containsExactly("both");
        assertThat(namesOnAllPages(store, east.withLabels(Map.of("zone", "' OR 1=1"))))
                .isEmpty();
    }

    @Test
    default void forgetsLabelsThatWereTakenOff() {
        ResourceStore store = fresh();
        label(store, "t", Map.of("zone", "east", "team", "a"));
        label(store, "t", Map.of("zone", "west"));
        assertThat(namesOnAllPages(store, Query.of(TIMEOUT).withLabels(Map.of("zone", "east"))))
                .isEmpty();
        assertThat(namesOnAllPages(store, Query.of(TIMEOUT).withLabels(Map.of("zone", "west"))))
                .hasSize(1);
        store.delete(timeout("t"), Expected.anything());
        label(store, "t", Map.of());
        assertThat(namesOnAllPages(store, Query.of(TIMEOUT).withLabels(Map.of("zone", "west"))))
                .isEmpty();
    }

    @Test
    default void pagesShowEachOnceThoughOthersWrite() {
        ResourceStore store = fresh();
        store.commit(IntStream.range(0, 100)
                .<Change>mapToObj(i -> put(timeout("t%03d".formatted(i)), i))
                .toList());
        var seen = new ArrayList<String>();
        Query query = Query.of(TIMEOUT).withLimit(10);
        Page page = store.list(query);
        while (page.next() != null) {
            page.items().forEach(item -> seen.add(item.key().name()));
            String last = page.next().name();
            // Behind, at and before the cursor: none of it may shift what is still to come.
            store.commit(List.of(delete(timeout(last)), put(timeout("a" + last), 1), put(timeout("t050x" + last), 1)));
            page = store.list(
                    query.startingAfter(Cursor.parse(page.next().token()).orElseThrow()));
        }
        page.items().forEach(item -> seen.add(item.key().name()));
        assertThat(seen).doesNotHaveDuplicates().isSorted();
        assertThat(seen)
                .containsAll(
                        IntStream.range(0, 100).mapToObj("t%03d"::formatted).toList());
    }

    @Test
    default void theLastPageIsKnownToBeTheLast() {
        ResourceStore store = fresh();
        store.commit(List.of(put(timeout("a"), 1), put(timeout("b"), 1)));
        assertThat(store.list(Query.of(TIMEOUT).withLimit(2)).next()).isNull();
        assertThat(store.list(Query.of(TIMEOUT).withLimit(1)).next()).isEqualTo(new Cursor("default", "a"));
        assertThat(store.list(Query.of(TIMEOUT).startingAfter(new Cursor("z", "z")))
                        .items())
                .isEmpty();
    }

    @Test
    default void whatCannotBeStoredMatchesNothing() {
        ResourceStore store = fresh();
        store.put(numbered(timeout("t"), 1), Expected.absent());
        for (String bad : List.of("nul\0", "half\ud83d")) {
            assertThat(store.find(timeout(bad))).isEmpty();
            assertThat(store.list(Query.of(TIMEOUT).inSpace(bad)).total()).isZero();
            assertThat(store.list(Query.of(TIMEOUT).withLabels(Map.of("l", bad)))
                            .items())
                    .isEmpty();
        }
        assertThat(Cursor.parse("AAo")).isEmpty();
        assertThat(Cursor.parse("!")).isEmpty();
    }

    @Test
    default void pagesOfBigDocumentsLoseNothing() {
        ResourceStore store = fresh();
        var big = new Document("{\"text\":\"" + "x".repeat(3 << 20) + "\"}");
        var names = IntStream.range(0, 15).mapToObj("t%02d"::formatted).toList();
        names.forEach(name -> store.put(Resource.of(timeout(name), big), Expected.absent()));
        assertThat(namesOnAllPages(store, Query.of(TIMEOUT))).isEqualTo(names);
    }

    private static void label(ResourceStore store, String name, Map<String, String> labels) {
        store.put(numbered(timeout(name), 1).withLabels(labels), Expected.anything());
    }

    private static List<String> namesOnAllPages(ResourceStore store, Query query) {
        var names = new ArrayList<String>();
        Page page = store.list(query);
        page.items().forEach(item -> names.add(item.key().name()));
        while (page.next() != null) {
            page = store.list(query.startingAfter(page.next()));
            page.items().forEach(item -> names.add(item.key().name()));
        }
        return names;
    }
}
