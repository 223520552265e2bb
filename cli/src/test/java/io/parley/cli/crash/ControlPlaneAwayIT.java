package io.parley.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Proxies without their control plane: {@code kill -9}, twice here under a single caller, more with {@code -Dparley.kills} and {@code -Dparley.callers}; certificates of 10 s, longer ones with
 * {@code -Dparley.certificates}.
 */
class ControlPlaneAwayIT {
    private static final int KILLS = Integer.getInteger("parley.kills", 2);
    private static final String LIFE = System.getProperty("parley.certificates", "10s");
    private static final int CALLERS = Integer.getInteger("parley.callers", 1);
    private static final Duration BACK_WITHIN = Duration.ofSeconds(10);

    @Test
    void killsUnderLoadFailNoRequestAndTheConfigurationIsTheSameAfterwards(@TempDir Path folder) throws Exception {
        AtomicInteger answered = new AtomicInteger();
        List<String> failures = new CopyOnWriteArrayList<>();
        try (PairBehindProxies pair = new PairBehindProxies(Files.createDirectory(folder.resolve("data")), "24h");
                Load _ = new Load(pair, answered, failures)) {
            pair.awaitProxies();
            String before = pair.configuration();
            for (int kill = 1; kill <= KILLS; kill++) {
                pair.kill();
                awaitMore(answered, failures);
                pair.restart();
                pair.awaitProxies();
                awaitMore(answered, failures);
                assertThat(pair.configuration()).isEqualTo(before);
            }
        }
        assertThat(failures).isEmpty();
        System.out.println(KILLS + " kills, " + answered + " requests answered, " + failures.size() + " failed");
    }

    @Test
    void aCertificateThatCannotBeRenewedEndsTrafficAndOneThatCanBringsItBack(@TempDir Path folder) throws Exception {
        try (PairBehindProxies pair = new PairBehindProxies(Files.createDirectory(folder.resolve("data")), LIFE)) {
            pair.kill();
            long killed = System.nanoTime();
            await().atMost(Duration.ofMinutes(2)).until(() -> pair.status() >= 500);
            long ended = System.nanoTime();
            pair.restart();
            long returned = System.nanoTime();
            await().atMost(BACK_WITHIN).until(() -> pair.status() == 200);
            System.out.println("certificates of " + LIFE + ": traffic ended "
                    + Duration.ofNanos(ended - killed).toMillis() + " ms after the kill and was back "
                    + Duration.ofNanos(System.nanoTime() - returned).toMillis() + " ms after the return");
        }
    }

    private static void awaitMore(AtomicInteger answered, List<String> failures) {
        int before = answered.get();
        await().atMost(Duration.ofMinutes(1)).until(() -> !failures.isEmpty() || answered.get() > before + 100);
        assertThat(failures).isEmpty();
    }

    /** Callers that never rest. */
    private static final class Load implements AutoCloseable {
        private final List<Thread> threads = new CopyOnWriteArrayList<>();
        private volatile boolean stopped;

        Load(PairBehindProxies pair, AtomicInteger answered, List<String> failures) {
            for (int i = 0; i < CALLERS; i++) {
                threads.add(Thread.ofVirtual().start(() -> {
                    while (!stopped) {
                        call(pair, answered, failures);
                    }
                }));
            }
        }

        private static void call(PairBehindProxies pair, AtomicInteger answered, List<String> failures) {
            try {
                int status = pair.status();
                if (status == 200) {
                    answered.incrementAndGet();
                } else {
                    failures.add("status " + status);
                }
            } catch (IOException e) {
                failures.add(e.toString());
            }
        }

        @Override
        public void close() {
            stopped = true;
            for (Thread thread : threads) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
