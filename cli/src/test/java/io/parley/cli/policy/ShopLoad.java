package io.parley.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Steady requests from web to orders, and connections to ledger of which each is new from end to end. */
final class ShopLoad implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PACE = Duration.ofMillis(5);
    private static final byte[] ENTRY = "entry".getBytes(StandardCharsets.US_ASCII);

    private final Shop shop;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger connections = new AtomicInteger();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final List<Thread> threads;
    private volatile boolean stopped;

    ShopLoad(Shop shop) {
        this.shop = shop;
        this.threads = List.of(
                Thread.ofVirtual().start(() -> repeat(this::request, requests)),
                Thread.ofVirtual().start(() -> repeat(this::connect, connections)));
    }

    private interface Attempt {
        void make() throws IOException;
    }

    private void repeat(Attempt attempt, AtomicInteger done) {
        while (!stopped) {
            try {
                attempt.make();
                done.incrementAndGet();
            } catch (IOException | RuntimeException e) {
                failures.add(e.toString());
            }
            LockSupport.parkNanos(PACE.toNanos());
        }
    }

    private void request() throws IOException {
        int status = shop.status("/");
        if (status != 200) {
            throw new IOException("status " + status);
        }
    }

    private void connect() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), shop.ledgerPort())) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(ENTRY);
            if (socket.getInputStream().readNBytes(ENTRY.length).length < ENTRY.length) {
                throw new IOException("closed before the answer");
            }
        }
    }

    /** Returns after at least this many more of each, all of them after the call. */
    void more(int count) {
        int requestsBefore = requests.get();
        int connectionsBefore = connections.get();
        await().atMost(PATIENCE)
                .until(() -> !failures.isEmpty()
                        || (requests.get() > requestsBefore + count && connections.get() > connectionsBefore + count));
        requireNoFailure();
    }

    void requireNoFailure() {
        assertThat(failures)
                .as("after %s requests and %s connections", requests, connections)
                .isEmpty();
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
