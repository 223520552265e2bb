package io.parley.bench.link;

import io.parley.link.Link;
import io.parley.link.Services;
import io.parley.wire.wrpc.CloseReason;
import io.parley.wire.wrpc.proto.PingCPRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Measures a control plane's links over TLS on the loopback. Arguments: negotiations, calls, idle connections. */
public final class Main {
    private static final PingCPRequest PING = PingCPRequest.newBuilder()
            .setHash("0123456789abcdef0123456789abcdef")
            .build();
    private static final int IN_FLIGHT = 256;

    private Main() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        int negotiations = args.length > 0 ? Integer.parseInt(args[0]) : 2_000;
        int calls = args.length > 1 ? Integer.parseInt(args[1]) : 500_000;
        int idle = args.length > 2 ? Integer.parseInt(args[2]) : 5_000;
        try (var controlPlane = new BenchControlPlane()) {
            heapPerIdleConnection(controlPlane, idle);
            callsOnOneConnection(controlPlane, calls);
            connectionsWithNegotiation(controlPlane, negotiations);
        }
    }

    private static void connectionsWithNegotiation(BenchControlPlane controlPlane, int count)
            throws IOException, InterruptedException {
        try (var nodes = new BenchNodes(controlPlane.port(), controlPlane.authority())) {
            var left = new CountDownLatch(count);
            long start = System.nanoTime();
            for (int node = 0; node < 16; node++) {
                nodes.start("node-" + node, link -> {
                    left.countDown();
                    // From another turn of the loop: the services are being opened right now.
                    link.loop().execute(() -> link.close(new CloseReason(CloseReason.NORMAL, "again")));
                });
            }
            left.await();
            report("connections with TLS, upgrade and negotiation", count, System.nanoTime() - start);
        }
    }

    private static void callsOnOneConnection(BenchControlPlane controlPlane, int count)
            throws IOException, InterruptedException {
        try (var nodes = new BenchNodes(controlPlane.port(), controlPlane.authority())) {
            BlockingQueue<Link> links = new ArrayBlockingQueue<>(1);
            nodes.start("caller", links::add);
            Link link = links.take();
            // Once to warm up, once to count.
            for (int round = 0; round < 2; round++) {
                long start = System.nanoTime();
                new Caller(link, count).run();
                if (round == 1) {
                    report("calls on one connection, " + IN_FLIGHT + " in flight", count, System.nanoTime() - start);
                }
            }
        }
    }

    private static void heapPerIdleConnection(BenchControlPlane controlPlane, int count)
            throws IOException, InterruptedException {
        long before = heap();
        Process nodes = new ProcessBuilder(List.of(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xmx2g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BenchNodes.class.getName(),
                        String.valueOf(controlPlane.port()),
                        controlPlane.authority().toString(),
                        String.valueOf(count)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var output = new BufferedReader(new InputStreamReader(nodes.getInputStream(), StandardCharsets.UTF_8))) {
            String line = output.readLine();
            if (!"ready".equals(line) || controlPlane.connected() != count) {
                throw new IllegalStateException("nodes are not connected: " + line + ", " + controlPlane.connected());
            }
            long after = heap();
            System.out.printf(
                    Locale.ROOT,
                    "heap per idle connection: %.1f KiB (%d connections)%n",
                    (after - before) / 1024.0 / count,
                    count);
        } finally {
            nodes.destroy();
            nodes.waitFor();
        }
    }

    private static long heap() {
        var memory = ManagementFactory.getMemoryMXBean();
        for (int i = 0; i < 3; i++) {
            memory.gc();
        }
        return memory.getHeapMemoryUsage().getUsed();
    }

    private static void report(String what, int count, long nanos) {
        System.out.printf(Locale.ROOT, "%s: %.0f/s (%d in %.1f s)%n", what, count * 1e9 / nanos, count, nanos / 1e9);
    }

    /** Keeps a number of calls in flight until all are answered. */
    private static final class Caller {
        private final Link link;
        private final CountDownLatch left;
        private final AtomicInteger unsent;

        Caller(Link link, int count) {
            this.link = link;
            this.left = new CountDownLatch(count);
            this.unsent = new AtomicInteger(count);
        }

        void run() throws InterruptedException {
            link.loop().execute(() -> {
                for (int i = 0; i < IN_FLIGHT; i++) {
                    next();
                }
            });
            left.await();
        }

        private void next() {
            if (unsent.getAndDecrement() <= 0) {
                return;
            }
            var _ = link.call(Services.PING_CP, PING, Duration.ofSeconds(30)).whenComplete((_, failure) -> {
                if (failure != null) {
                    throw new IllegalStateException(failure);
                }
                left.countDown();
                next();
            });
        }
    }
}
