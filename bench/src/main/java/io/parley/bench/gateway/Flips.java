package io.parley.bench.gateway;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A Service's {@code appProtocol} is flipped while clients call through a real gateway: time from the acknowledged write to the first
 * answer in the new protocol and to the route's status, and how many requests failed.
 */
final class Flips {
    private static final int ROUNDS = 60;
    private static final int CLIENTS = 4;
    private static final long LIMIT = TimeUnit.SECONDS.toNanos(30);

    private record Flip(@Nullable String declared, String spoken) {}

    private final LiveGateway gateway;
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicBoolean enough = new AtomicBoolean();

    private Flips(LiveGateway gateway) {
        this.gateway = gateway;
    }

    static void run() throws IOException, InterruptedException {
        try (LiveGateway gateway = new LiveGateway()) {
            long _ = await(() -> isServed(gateway));
            new Flips(gateway).measure();
        }
    }

    /** False also while the proxy has not opened its port. */
    private static boolean isServed(LiveGateway gateway) throws InterruptedException {
        try {
            return gateway.answer().equals("HTTP/1");
        } catch (IOException e) {
            return false;
        }
    }

    private void measure() throws IOException, InterruptedException {
        List<Thread> clients = new ArrayList<>();
        for (int at = 0; at < CLIENTS; at++) {
            clients.add(Thread.ofVirtual().start(this::load));
        }
        long[] served = new long[ROUNDS];
        List<Flip> flips = List.of(
                new Flip("h2c", "HTTP/2"),
                new Flip("ws", "HTTP/1"),
                new Flip("h2c", "HTTP/2"),
                new Flip(null, "HTTP/1"));
        for (int round = 0; round < ROUNDS; round++) {
            Flip flip = flips.get(round % flips.size());
            gateway.declare(flip.declared());
            served[round] = await(() -> gateway.answer().equals(flip.spoken()));
        }
        enough.set(true);
        for (Thread client : clients) {
            client.join();
        }
        print("another protocol under load, until the first answer in it", served);
        System.out.printf("  %d requests meanwhile, %d not answered with 200%n", requests.get(), failures.get());
        status();
    }

    /** To a protocol that nobody can speak and back. */
    private void status() throws IOException, InterruptedException {
        long[] told = new long[ROUNDS];
        long[] answered = new long[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            boolean good = round % 2 == 1;
            gateway.declare(good ? "h2c" : "foo");
            long start = System.nanoTime();
            answered[round] = await(() -> gateway.answer().equals(good ? "HTTP/2" : "500"));
            told[round] = await(() -> gateway.isResolved() == good, start);
        }
        print("unsupported and back, until the route's status says so", told);
        print("unsupported and back, until requests are answered so", answered);
    }

    private void load() {
        while (!enough.get()) {
            try {
                requests.incrementAndGet();
                if (!gateway.answer().startsWith("HTTP/")) {
                    failures.incrementAndGet();
                }
            } catch (IOException e) {
                failures.incrementAndGet();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private interface Check {
        boolean holds() throws IOException, InterruptedException;
    }

    private static long await(Check check) throws IOException, InterruptedException {
        return await(check, System.nanoTime());
    }

    /** Microseconds since {@code start}. Asking is the only pause, so it costs no more than one answer. */
    private static long await(Check check, long start) throws IOException, InterruptedException {
        while (!check.holds()) {
            if (System.nanoTime() - start > LIMIT) {
                throw new IllegalStateException("nothing changed (expected: what was declared to be in force)");
            }
        }
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start);
    }

    private static void print(String what, long[] micros) {
        Arrays.sort(micros);
        System.out.printf(
                "  %s: p50 %d us, p99 %d us, longest %d us%n",
                what, micros[micros.length / 2], micros[micros.length * 99 / 100], micros[micros.length - 1]);
    }
}
