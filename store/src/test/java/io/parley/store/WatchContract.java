package io.parley.store;

import static io.parley.store.Samples.delete;
import static io.parley.store.Samples.full;
import static io.parley.store.Samples.mesh;
import static io.parley.store.Samples.numberIn;
import static io.parley.store.Samples.numbered;
import static io.parley.store.Samples.put;
import static io.parley.store.Samples.timeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a watch tells: everything, once, in order, or that it cannot. */
interface WatchContract extends StoreFixture {
    Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    default void seesWhatCameAfterItsRevisionAndNothingElse() {
        ResourceStore store = fresh();
        store.put(numbered(timeout("before"), 1), Expected.absent());
        try (Watch watch = store.watch(store.revision())) {
            assertThat(watch.poll(Duration.ZERO)).isEqualTo(new Watch.Nothing());
            Stored stored = store.put(full(timeout("t")), Expected.absent()).stored();
            store.delete(timeout("t"), Expected.anything());
            assertThat(take(watch, 2))
                    .containsExactly(new Event.Written(stored), new Event.Deleted(timeout("t"), new Revision(3)));
            assertThat(watch.poll(Duration.ofMillis(1))).isEqualTo(new Watch.Nothing());
        }
    }

    @Test
    default void readsHistoryFromAnOldRevision() {
        ResourceStore store = fresh();
        for (int i = 1; i <= 20; i++) {
            store.put(numbered(timeout("t"), i), Expected.anything());
        }
        try (Watch watch = store.watch(new Revision(5))) {
            assertThat(take(watch, 15))
                    .extracting(event -> numberIn(((Event.Written) event).stored()))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(6, 20).boxed().toList());
        }
    }

    @Test
    default void isWokenByACommit() throws Exception {
        ResourceStore store = fresh();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor();
                Watch watch = store.watch(Revision.START)) {
            Future<Watch.Polled> polled = executor.submit(() -> watch.poll(PATIENCE));
            store.put(numbered(timeout("t"), 1), Expected.absent());
            assertThat(polled.get()).isInstanceOf(Watch.Events.class);
        }
    }

    @Test
    default void isWokenByBeingClosed() throws Exception {
        ResourceStore store = fresh();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Watch watch = store.watch(Revision.START);
            Future<Watch.Polled> polled = executor.submit(() -> watch.poll(PATIENCE));
            watch.close();
            assertThatThrownBy(polled::get)
                    .cause()
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.failure()).isEqualTo(new Failure.Closed()));
        }
    }

    @Test
    default void tellsWhoeverIsTooFarBehindToListAgain() {
        ResourceStore store = fresh(new Retention(10, 1 << 20));
        for (int i = 1; i <= 30; i++) {
            store.put(numbered(timeout("t"), i), Expected.anything());
        }
        try (Watch late = store.watch(new Revision(3))) {
            assertThat(late.poll(PATIENCE)).isInstanceOfSatisfying(Watch.TooOld.class, tooOld -> {
                try (Watch again = store.watch(tooOld.oldest())) {
                    assertThat(take(again, Math.toIntExact(30 - tooOld.oldest().number())))
                            .hasSizeGreaterThanOrEqualTo(9);
                }
            });
        }
    }

    @Test
    default void dropsHistoryByItsSizeToo() {
        ResourceStore store = fresh(new Retention(1000, 10_000));
        for (int i = 1; i <= 30; i++) {
            store.put(numbered(timeout("t"), i).withLabels(Map.of("l", "v".repeat(500))), Expected.anything());
        }
        try (Watch late = store.watch(new Revision(3))) {
            assertThat(late.poll(PATIENCE)).isInstanceOf(Watch.TooOld.class);
        }
        assertThat(store.find(timeout("t"))).isPresent();
    }

    @Test
    default void aRevisionThatNeverWasMeansListAgain() {
        ResourceStore store = fresh();
        store.put(numbered(timeout("t"), 1), Expected.anything());
        try (Watch watch = store.watch(new Revision(2))) {
            assertThat(watch.poll(Duration.ZERO)).isEqualTo(new Watch.TooOld(Revision.START));
        }
    }

    @Test
    default void showsEachRevisionWhole() {
        ResourceStore store = fresh();
        for (int commit = 0; commit < 5; commit++) {
            int number = commit;
            store.commit(IntStream.range(0, 300)
                    .<Change>mapToObj(i -> put(timeout("t" + i), number))
                    .toList());
        }
        try (Watch watch = store.watch(Revision.START)) {
            Revision last = Revision.START;
            while (last.number() < 5) {
                var events = (Watch.Events) watch.poll(PATIENCE);
                assertThat(events.events().size() % 300).isZero();
                assertThat(events.events().getFirst().revision()).isEqualTo(last.next());
                assertThat(events.events().getLast().revision()).isEqualTo(events.through());
                last = events.through();
            }
        }
    }

    @Test
    default void showsWhatWentAlongWithItsOwnerBeforeTheOwner() {
        ResourceStore store = fresh();
        store.commit(List.of(put(mesh("m"), 1), put(timeout("a"), 1, mesh("m")), put(timeout("b"), 1, timeout("a"))));
        try (Watch watch = store.watch(store.revision())) {
            store.commit(List.of(delete(mesh("m"))));
            assertThat(take(watch, 3)).extracting(Event::key).containsExactly(timeout("b"), timeout("a"), mesh("m"));
        }
    }

    @Test
    default void case7_seesNothingOfAPutThatChangesNothing() {
        ResourceStore store = fresh();
        store.put(full(timeout("t")), Expected.absent());
        try (Watch watch = store.watch(store.revision())) {
            store.put(full(timeout("t")), Expected.anything());
            store.delete(timeout("other"), Expected.anything());
            assertThat(watch.poll(Duration.ofMillis(20))).isEqualTo(new Watch.Nothing());
        }
    }

    @Test
    default void manyWatchersSeeTenThousandChangesCompleteAndInOrder() throws Exception {
        ResourceStore store = fresh();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var watchers = new ArrayList<Future<List<Long>>>();
            for (int i = 0; i < 8; i++) {
                watchers.add(executor.submit(() -> {
                    try (Watch watch = store.watch(Revision.START)) {
                        return take(watch, 10_000).stream()
                                .map(event -> numberIn(((Event.Written) event).stored()))
                                .toList();
                    }
                }));
            }
            for (int from = 0; from < 10_000; from += 50) {
                store.commit(LongStream.range(from, from + 50)
                        .<Change>mapToObj(i -> put(timeout("t" + i % 1000), i))
                        .toList());
            }
            var all = LongStream.range(0, 10_000).boxed().toList();
            for (Future<List<Long>> watcher : watchers) {
                assertThat(watcher.get()).isEqualTo(all);
            }
        }
    }

    /** Polls until so many events have come, and fails if they do not. */
    static List<Event> take(Watch watch, int count) {
        var events = new ArrayList<Event>();
        while (events.size() < count) {
            switch (watch.poll(PATIENCE)) {
                case Watch.Events polled -> events.addAll(polled.events());
                case Watch.TooOld tooOld -> throw new AssertionError("after " + events.size() + " events: " + tooOld);
                case Watch.Nothing _ -> throw new AssertionError("only " + events.size() + " events of " + count);
            }
        }
        assertThat(events).hasSize(count);
        assertThat(events).extracting(Event::revision).isSorted();
        return events;
    }
}
