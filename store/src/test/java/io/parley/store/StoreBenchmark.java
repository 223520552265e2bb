package io.parley.store;

import static io.parley.store.Samples.TIMEOUT;
import static io.parley.store.Samples.timeout;

import io.parley.resource.Document;
import io.parley.resource.Resource;
import io.parley.store.memory.MemoryStore;
import io.parley.store.postgres.LeaderProgram;
import io.parley.store.postgres.LeaseTimes;
import io.parley.store.postgres.PostgresLeaderElection;
import io.parley.store.postgres.PostgresServer;
import io.parley.store.postgres.PostgresStore;
import io.parley.store.postgres.PostgresUrl;
import io.parley.store.sqlite.SqliteStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** Prints figures of all stores; a program to run by hand. */
public final class StoreBenchmark {
    private static final int RESOURCES = 10_000;
    private static final Clock CLOCK = Clock.systemUTC();

    private StoreBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory(Path.of(arguments.length > 0 ? arguments[0] : "."), "store-benchmark");
        try (ResourceStore store = new MemoryStore(Retention.DEFAULT, CLOCK)) {
            measure("memory", store);
        }
        try (ResourceStore store = SqliteStore.open(folder, Retention.DEFAULT, CLOCK)) {
            measure("sqlite", store);
        }
        print("sqlite", "open, ms", () -> {
            SqliteStore.open(folder, Retention.DEFAULT, CLOCK).close();
            return null;
        });
        try (PostgresServer server = PostgresServer.start(PostgresServer.Disk.FSYNC)) {
            var url = PostgresUrl.parse(server.url());
            try (ResourceStore store = PostgresStore.open(url, Retention.DEFAULT, CLOCK);
                    ResourceStore other = PostgresStore.open(url, Retention.DEFAULT, CLOCK)) {
                measure("postgres", store);
                delivery(store, other);
            }
            takeOver(server.url());
        }
    }

    private static void measure(String name, ResourceStore store) throws Exception {
        for (int from = 0; from < RESOURCES; from += 500) {
            store.commit(IntStream.range(from, from + 500)
                    .<Change>mapToObj(i -> new Change.Put(sample(i, 0), Expected.anything(), null))
                    .toList());
        }
        print(
                name,
                "list " + RESOURCES + ", ms",
                () -> store.list(Query.of(TIMEOUT).withLimit(Query.MAX_LIMIT)));
        print(
                name,
                "list 100 by label of " + RESOURCES + ", ms",
                () -> store.list(Query.of(TIMEOUT).withLabels(Map.of("team", "t7"))));
        print(name, "find, ms", () -> store.find(timeout("t77")));
        print(name, "watch of " + RESOURCES + ", ms", () -> readAll(store));
        puts(name, store, 1);
        puts(name, store, 16);
    }

    private static Resource sample(int i, int round) {
        String text = "{\"to\":[{\"default\":{\"idleTimeout\":\"20s\",\"round\":" + round + ",\"text\":\""
                + "x".repeat(400) + "\"}}]}";
        return Resource.of(timeout("t" + i), new Document(text)).withLabels(Map.of("team", "t" + i % 100));
    }

    private static int readAll(ResourceStore store) {
        int seen = 0;
        try (Watch watch = store.watch(Revision.START)) {
            while (watch.poll(Duration.ZERO) instanceof Watch.Events events) {
                seen += events.events().size();
            }
        }
        return seen;
    }

    private static void puts(String name, ResourceStore store, int writers) throws Exception {
        int each = 1600 / writers;
        long start = System.nanoTime();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int writer = 0; writer < writers; writer++) {
                int first = writer * each;
                var _ = executor.submit(() -> {
                    for (int i = first; i < first + each; i++) {
                        store.put(sample(i, writers), Expected.anything());
                    }
                });
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf("%-9s put, %d writers: %.0f/s%n", name, writers, writers * each / seconds);
    }

    /** From before the put through one instance until the event is seen on the other. */
    private static void delivery(ResourceStore store, ResourceStore other) throws Exception {
        try (Watch watch = other.watch(other.revision())) {
            int[] round = {1000};
            print("postgres", "put here until watched there, ms", () -> {
                store.put(sample(1, round[0]++), Expected.anything());
                return watch.poll(Duration.ofSeconds(10));
            });
        }
    }

    private static void takeOver(String server) throws Exception {
        Process leader = new ProcessBuilder(JavaProgram.command(LeaderProgram.class, server, "bench"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var lines = leader.inputReader()) {
            if (lines.lines().noneMatch("LEADER"::equals)) {
                throw new IllegalStateException("the first one does not lead");
            }
        }
        try (var next = PostgresLeaderElection.start(
                PostgresUrl.parse(server), "bench", "next", LeaseTimes.DEFAULT, System::nanoTime)) {
            leader.destroyForcibly().waitFor();
            long start = System.nanoTime();
            Role role = next.awaitChange(Role.FOLLOWER, Duration.ofSeconds(30));
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf("postgres  leader killed, other is %s after %.1f s%n", role, seconds);
        }
    }

    private static void print(String name, String what, Callable<?> work) throws Exception {
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            long start = System.nanoTime();
            work.call();
            times.add((System.nanoTime() - start) / 1e6);
        }
        times.subList(0, 10).clear();
        Collections.sort(times);
        System.out.printf("%-9s %s: p50 %.2f, max %.2f%n", name, what, times.get(times.size() / 2), times.getLast());
    }
}
