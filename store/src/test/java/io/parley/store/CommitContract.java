package io.parley.store;

import static io.parley.store.Samples.delete;
import static io.parley.store.Samples.full;
import static io.parley.store.Samples.mesh;
import static io.parley.store.Samples.numbered;
import static io.parley.store.Samples.put;
import static io.parley.store.Samples.timeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parley.resource.Document;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What a commit does to single resources, all of its own, or nothing. */
interface CommitContract extends StoreFixture {
    ResourceKey KEY = timeout("t");

    @Test
    default void givesBackExactlyWhatWasPut() {
        ResourceStore store = fresh();
        Resource resource = full(KEY);
        Stored stored = store.put(resource, Expected.absent()).stored();
        assertThat(stored.resource()).isEqualTo(resource);
        assertThat(stored.revision()).isEqualTo(new Revision(1));
        assertThat(stored.created()).isEqualTo(stored.modified());
        assertThat(store.find(KEY)).contains(stored);
        assertThat(store.revision()).isEqualTo(new Revision(1));
    }

    @Test
    default void findsNothingWhereNothingIs() {
        ResourceStore store = fresh();
        store.put(numbered(timeout("a", "t"), 1), Expected.anything());
        assertThat(store.find(timeout("b", "t"))).isEmpty();
        assertThat(store.find(mesh("t"))).isEmpty();
    }

    @Test
    default void replacesTheWholeAndKeepsWhenItWasCreated() {
        ResourceStore store = fresh();
        Stored first = store.put(full(KEY), Expected.absent()).stored();
        var outcome = store.put(numbered(KEY, 2), Expected.exactly(first.revision()));
        assertThat(outcome).isInstanceOf(Outcome.Updated.class);
        assertThat(outcome.stored().resource()).isEqualTo(numbered(KEY, 2));
        assertThat(outcome.stored().created()).isEqualTo(first.created());
        assertThat(store.find(KEY)).contains(outcome.stored());
    }

    @Test
    default void countsWhatWasAskedForAndNotWhatWasFoundOut() {
        ResourceStore store = fresh();
        Stored first = store.put(numbered(KEY, 1), Expected.absent()).stored();
        Stored seen = store.put(numbered(KEY, 1).withStatus(new Document("{\"ok\":true}")), Expected.anything())
                .stored();
        Stored asked = store.put(numbered(KEY, 2), Expected.anything()).stored();
        assertThat(List.of(first.generation(), seen.generation(), asked.generation()))
                .containsExactly(1L, 1L, 2L);
        assertThat(store.find(KEY)).map(Stored::generation).contains(2L);
        store.delete(KEY, Expected.anything());
        assertThat(store.put(numbered(KEY, 2), Expected.absent()).stored().generation())
                .isEqualTo(1);
    }

    @Test
    default void refusesAStaleRevisionAndNamesBoth() {
        ResourceStore store = fresh();
        Revision first = store.put(numbered(KEY, 1), Expected.absent()).stored().revision();
        Revision second =
                store.put(numbered(KEY, 2), Expected.anything()).stored().revision();
        assertRefused(
                () -> store.put(numbered(KEY, 3), Expected.exactly(first)),
                new Failure.Conflict(KEY, Expected.exactly(first), second));
        assertRefused(
                () -> store.delete(KEY, Expected.exactly(first)),
                new Failure.Conflict(KEY, Expected.exactly(first), second));
        assertRefused(
                () -> store.put(numbered(KEY, 3), Expected.absent()),
                new Failure.Conflict(KEY, Expected.absent(), second));
        assertThat(store.find(KEY).orElseThrow().resource()).isEqualTo(numbered(KEY, 2));
        assertThat(store.revision()).isEqualTo(second);
    }

    @Test
    default void isNotFooledByDeleteAndCreateAgain() {
        ResourceStore store = fresh();
        Revision read = store.put(numbered(KEY, 1), Expected.absent()).stored().revision();
        store.delete(KEY, Expected.exactly(read));
        assertRefused(
                () -> store.put(numbered(KEY, 2), Expected.exactly(read)),
                new Failure.Conflict(KEY, Expected.exactly(read), null));
        Revision again = store.put(numbered(KEY, 1), Expected.absent()).stored().revision();
        assertRefused(
                () -> store.put(numbered(KEY, 2), Expected.exactly(read)),
                new Failure.Conflict(KEY, Expected.exactly(read), again));
    }

    @Test
    default void case7_whatIsUnchangedIsNotWrittenAgain() {
        ResourceStore store = fresh();
        Stored stored = store.put(full(KEY), Expected.absent()).stored();
        var again = store.put(full(KEY), Expected.exactly(stored.revision()));
        assertThat(again).isEqualTo(new Outcome.Unchanged(stored));
        assertThat(store.revision()).isEqualTo(stored.revision());
        assertThat(store.find(KEY)).contains(stored);
    }

    @Test
    default void deletesAndSaysWhatWasThere() {
        ResourceStore store = fresh();
        Stored stored = store.put(full(KEY), Expected.absent()).stored();
        assertThat(store.delete(KEY, Expected.anything())).isEqualTo(new Outcome.Deleted(stored));
        assertThat(store.find(KEY)).isEmpty();
        assertThat(store.delete(KEY, Expected.anything())).isEqualTo(new Outcome.Missing(KEY));
        assertThat(store.revision()).isEqualTo(new Revision(2));
    }

    @Test
    default void commitsAllOrNothing() {
        ResourceStore store = fresh();
        store.put(numbered(timeout("old"), 1), Expected.absent());
        assertRefused(
                () -> store.commit(List.of(
                        put(timeout("new"), 1),
                        delete(timeout("old")),
                        new Change.Put(numbered(KEY, 1), Expected.exactly(new Revision(77)), null))),
                new Failure.Conflict(KEY, Expected.exactly(new Revision(77)), null));
        assertThat(store.find(timeout("new"))).isEmpty();
        assertThat(store.find(timeout("old"))).isPresent();
        assertThat(store.revision()).isEqualTo(new Revision(1));
    }

    @Test
    default void givesAllChangesOfACommitTheSameRevision() {
        ResourceStore store = fresh();
        var committed = store.commit(List.of(put(mesh("m"), 1), put(timeout("m", "t"), 2, mesh("m")), delete(KEY)));
        assertThat(committed.revision()).isEqualTo(new Revision(1));
        assertThat(committed.outcomes())
                .hasSize(3)
                .endsWith(new Outcome.Missing(KEY))
                .filteredOn(Outcome.Created.class::isInstance)
                .allSatisfy(outcome -> assertThat(
                                ((Outcome.Created) outcome).stored().revision())
                        .isEqualTo(new Revision(1)));
        assertThat(store.commit(List.of()).revision()).isEqualTo(new Revision(1));
    }

    @Test
    default void refusesTheSameKeyTwiceInACommit() {
        ResourceStore store = fresh();
        assertThatThrownBy(() -> store.commit(List.of(put(KEY, 1), delete(KEY))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(KEY.toString());
    }

    @Test
    default void refusesAnOwnerThatDoesNotExist() {
        ResourceStore store = fresh();
        assertRefused(() -> store.commit(List.of(put(KEY, 1, mesh("m")))), new Failure.OwnerMissing(KEY, mesh("m")));
        assertThat(store.find(KEY)).isEmpty();
    }

    @Test
    default void deletesAllThatIsOwnedHoweverDeep() {
        ResourceStore store = fresh();
        ResourceKey grandchild = timeout("grandchild");
        store.commit(List.of(
                put(mesh("m"), 1),
                put(KEY, 1, mesh("m")),
                put(grandchild, 1, KEY),
                put(timeout("other"), 1),
                put(timeout("moved"), 1, mesh("m"))));
        store.put(put(timeout("moved"), 1, timeout("other")));
        store.delete(mesh("m"), Expected.anything());
        assertThat(List.of(mesh("m"), KEY, grandchild))
                .noneMatch(key -> store.find(key).isPresent());
        assertThat(List.of(timeout("other"), timeout("moved")))
                .allMatch(key -> store.find(key).isPresent());
        assertThat(store.revision()).isEqualTo(new Revision(3));
    }

    @Test
    default void takesAlongWhatTheSameCommitPutUnderTheDeleted() {
        ResourceStore store = fresh();
        store.commit(List.of(put(mesh("m"), 1), put(KEY, 1), put(timeout("below"), 1, KEY)));
        store.commit(List.of(put(KEY, 1, mesh("m")), delete(mesh("m"))));
        assertThat(List.of(mesh("m"), KEY, timeout("below")))
                .noneMatch(key -> store.find(key).isPresent());
    }

    @Test
    default void survivesOwnershipThatRunsInACircle() {
        ResourceStore store = fresh();
        store.commit(List.of(put(mesh("a"), 1), put(mesh("b"), 1, mesh("a"))));
        store.put(put(mesh("a"), 1, mesh("b")));
        store.delete(mesh("b"), Expected.anything());
        assertThat(store.find(mesh("a"))).isEmpty();
        assertThat(store.find(mesh("b"))).isEmpty();
    }

    @Test
    default void deletesAnOwnerOfThousands() {
        ResourceStore store = fresh();
        store.put(numbered(mesh("m"), 1), Expected.absent());
        store.commit(IntStream.range(0, 3000)
                .<Change>mapToObj(i -> put(timeout("m", "t" + i), i, mesh("m")))
                .toList());
        store.delete(mesh("m"), Expected.anything());
        assertThat(store.list(Query.of(Samples.TIMEOUT)).total()).isZero();
    }

    @Test
    default void keepsStrangeNamesAndLongDocuments() {
        ResourceStore store = fresh();
        var names = List.of("a'b", "a\"b", "%", "_", "a\\b", "ä", "😀", "\uffff", "a b", "A", "a", "x".repeat(253));
        var document = new Document("{\"text\":\"" + "ü😀'".repeat(70_000) + "\"}");
        for (String name : names) {
            store.put(Resource.of(timeout(name, name), document).withLabels(Map.of(name, name)), Expected.absent());
        }
        assertThat(names).allSatisfy(name -> {
            Resource found = store.find(timeout(name, name)).orElseThrow().resource();
            assertThat(found.spec()).isEqualTo(document);
            assertThat(found.labels()).isEqualTo(Map.of(name, name));
        });
    }

    @Test
    default void refusesWhatNotEveryStoreGivesBackUnchanged() {
        ResourceStore store = fresh();
        for (String bad : List.of("nul\0", "half\ud83d", "\ude00half", "n".repeat(254))) {
            assertUnstorable(() -> store.put(numbered(timeout(bad), 1), Expected.anything()));
            assertUnstorable(() -> store.put(numbered(timeout(bad, "t"), 1), Expected.anything()));
        }
        assertUnstorable(() -> store.put(Resource.of(KEY, new Document("{\"a\":\"\ud83d\"}")), Expected.anything()));
        assertUnstorable(() -> store.put(numbered(KEY, 1).withLabels(Map.of("l\0", "")), Expected.anything()));
        assertUnstorable(() ->
                store.put(numbered(KEY, 1).withLabels(Map.of("l", "v".repeat(513))), Expected.anything()));
        assertThat(store.revision()).isEqualTo(Revision.START);
    }

    @Test
    default void refusesAllOnceClosed() {
        ResourceStore store = fresh();
        Watch watch = store.watch(Revision.START);
        store.close();
        store.close();
        for (ThrowingCallable use : List.<ThrowingCallable>of(
                () -> store.find(KEY),
                () -> store.list(Query.of(Samples.MESH)),
                () -> store.put(full(KEY), Expected.anything()),
                store::revision,
                () -> watch.poll(Duration.ofSeconds(10)))) {
            assertRefused(use, new Failure.Closed());
        }
    }

    private static void assertRefused(ThrowingCallable use, Failure failure) {
        assertThatThrownBy(use).isInstanceOfSatisfying(StoreException.class, e -> {
            assertThat(e.failure()).isEqualTo(failure);
            assertThat(e).hasMessage(failure.message());
        });
    }

    private static void assertUnstorable(ThrowingCallable use) {
        assertThatThrownBy(use)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.Unstorable.class));
    }
}
