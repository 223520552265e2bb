package io.parley.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} in the middle of writes: 200 times here, more with {@code -Dparley.crash.rounds}. */
class CrashIT {
    private static final int ROUNDS = Integer.getInteger("parley.crash.rounds", 200);
    private static final int LANES = 2;
    private static final int WRITERS = 2;
    private static final int LONGEST_LIFE_MILLIS = 50;

    @Test
    void everyAcknowledgedWriteSurvivesAndNoneIsHalfThere(@TempDir Path folder) throws Exception {
        long seed = new Random().nextLong();
        try (ExecutorService lanes = Executors.newFixedThreadPool(LANES)) {
            List<Future<String>> results = new ArrayList<>();
            for (int lane = 0; lane < LANES; lane++) {
                Path data = folder.resolve("lane-" + lane);
                Random random = new Random(seed + lane);
                results.add(lanes.submit(() -> killAndVerify(data, random, ROUNDS / LANES)));
            }
            for (Future<String> result : results) {
                System.out.println(result.get());
            }
        } catch (Exception | AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    @Test
    void stopsCleanlyWhenAsked(@TempDir Path folder) throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        ControlPlaneProcess server = ControlPlaneProcess.start(data);

        // 128 + SIGTERM is what a JVM returns after its shutdown hooks ran.
        assertThat(server.stop()).isEqualTo(143);
        assertThat(data.resolve("stderr.log")).content().contains("stopped");
    }

    private String killAndVerify(Path data, Random random, int rounds) throws Exception {
        Files.createDirectories(data);
        List<Counters> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            writers.add(new Counters("w" + i + "-"));
        }
        List<Long> starts = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < rounds; round++) {
                long before = System.nanoTime();
                ControlPlaneProcess server = ControlPlaneProcess.start(data);
                starts.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before));
                try {
                    for (Counters writer : writers) {
                        writer.verify(server);
                    }
                    killAmidWrites(server, writers, threads, random);
                } finally {
                    server.kill();
                }
            }
        }
        long writes = writers.stream().mapToLong(Counters::acknowledgedWrites).sum();
        assertThat(writes).as("writes that were acknowledged at all").isGreaterThan(rounds);
        Collections.sort(starts);
        return rounds + " kills, " + writes + " acknowledged writes, starts: median " + starts.get(starts.size() / 2)
                + " ms, slowest " + starts.getLast() + " ms";
    }

    private static void killAmidWrites(
            ControlPlaneProcess server, List<Counters> writers, ExecutorService threads, Random random)
            throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        CountDownLatch writing = new CountDownLatch(WRITERS);
        List<Future<?>> running = new ArrayList<>();
        for (Counters writer : writers) {
            running.add(threads.submit(() -> writer.writeUntilItDies(server, writing, stop)));
        }
        assertThat(writing.await(1, TimeUnit.MINUTES)).as("writes go through").isTrue();
        // The moment of the kill is the point of this test: nothing can be awaited instead.
        TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_LIFE_MILLIS));
        server.kill();
        stop.set(true);
        for (Future<?> writer : running) {
            writer.get();
        }
    }
}
