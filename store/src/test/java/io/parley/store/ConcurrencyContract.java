package io.parley.store;

import static io.parley.store.Samples.numberIn;
import static io.parley.store.Samples.numbered;
import static io.parley.store.Samples.timeout;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** That nothing is lost when many write, and that long random histories end where a simple model ends. */
interface ConcurrencyContract extends StoreFixture {
    int THREADS = 8;
    int STEPS = 25;

    @Test
    default void optimisticWritersLoseNoIncrement() throws Exception {
        ResourceStore store = fresh();
        ResourceKey key = timeout("counter");
        store.put(numbered(key, 0), Expected.absent());
        inParallel(() -> {
            for (int step = 0; step < STEPS; step++) {
                increment(store, key);
            }
            return null;
        });
        assertThat(numberIn(store.find(key).orElseThrow())).isEqualTo(THREADS * STEPS);
        assertThat(store.revision()).isEqualTo(new Revision(THREADS * STEPS + 1));
    }

    private static void increment(ResourceStore store, ResourceKey key) {
        while (true) {
            Stored read = store.find(key).orElseThrow();
            try {
                store.put(numbered(key, numberIn(read) + 1), Expected.exactly(read.revision()));
                return;
            } catch (StoreException e) {
                assertThat(e.failure()).isInstanceOf(Failure.Conflict.class);
            }
        }
    }

    @Test
    default void parallelCommitsFormOneHistoryWithoutGaps() throws Exception {
        ResourceStore store = fresh();
        try (Watch watch = store.watch(Revision.START)) {
            inParallel(() -> {
                String name = "t" + Thread.currentThread().threadId();
                for (int step = 0; step < STEPS; step++) {
                    putPatiently(store, numbered(timeout(name), step));
                }
                return null;
            });
            List<Event> events = WatchContract.take(watch, THREADS * STEPS);
            assertThat(events)
                    .extracting(event -> (int) event.revision().number())
                    .isEqualTo(IntStream.rangeClosed(1, THREADS * STEPS).boxed().toList());
            Map<ResourceKey, Long> last = new HashMap<>();
            events.forEach(event -> assertThat(last.merge(
                            event.key(), numberIn(((Event.Written) event).stored()), (a, b) -> a + 1 == b ? b : -1))
                    .isNotNegative());
        }
    }

    /** Waiting in line has a limit, which a busy machine may reach: who is turned away comes again. */
    private static void putPatiently(ResourceStore store, Resource resource) {
        for (int attempt = 1; ; attempt++) {
            try {
                store.put(resource, Expected.anything());
                return;
            } catch (StoreException e) {
                if (!(e.failure() instanceof Failure.Unavailable) || attempt == 20) {
                    throw e;
                }
            }
        }
    }

    @Test
    default void oneOfManyWinsARace() throws Exception {
        ResourceStore store = fresh();
        List<Boolean> wins = inParallel(() -> {
            try {
                store.put(numbered(timeout("t"), Thread.currentThread().threadId()), Expected.absent());
                return true;
            } catch (StoreException e) {
                assertThat(e.failure()).isInstanceOf(Failure.Conflict.class);
                return false;
            }
        });
        assertThat(wins).containsOnlyOnce(true);
    }

    @Test
    default void agreesWithASimpleModelOverARandomHistory() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        var history = new RandomHistory(new Random(seed));
        ResourceStore store = fresh();
        try (Watch watch = store.watch(Revision.START)) {
            for (int step = 0; step < 400; step++) {
                history.step(store);
            }
            history.assertSameState(store);
            Set<ResourceKey> replayed = new HashSet<>();
            for (Event event : WatchContract.take(watch, history.events())) {
                boolean changed =
                        event instanceof Event.Written ? replayed.add(event.key()) : replayed.remove(event.key());
                assertThat(event instanceof Event.Deleted && !changed)
                        .as("deleted twice: %s", event)
                        .isFalse();
            }
            assertThat(replayed).isEqualTo(history.keys());
        }
    }

    private static <T> List<T> inParallel(Callable<T> work) throws Exception {
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> all = executor.invokeAll(Collections.nCopies(THREADS, work));
            var results = new ArrayList<T>();
            for (Future<T> one : all) {
                results.add(one.get());
            }
            return results;
        }
    }
}
