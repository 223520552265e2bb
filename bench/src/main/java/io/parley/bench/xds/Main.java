package io.parley.bench.xds;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures both servers in turn, round by round: all clients connect, then single endpoints change. The servers run in processes of
 * their own; the clients, in this one, are the same for both. With delta, where little is left to do but to send, gRPC's own share is
 * measured beside them.
 */
final class Main {
    private static final List<String> SUBJECTS = List.of("java-control-plane", "parley");
    private static final String FLOOR = "bare-grpc";
    private static final int FEW = 100;
    private static final int FEWEST_CHANGES = 5;
    private static final Duration WARM_UP = Duration.ofSeconds(15);
    private static final Duration SETTLING = Duration.ofSeconds(5);
    private static final Duration MEASURED = Duration.ofSeconds(10);
    private static final AtomicInteger CHANGES = new AtomicInteger();

    private Main() {}

    public static void main(String[] arguments) throws IOException {
        String[] clients = option(arguments, "--clients", "1000,5000").split(",", -1);
        int rounds = Integer.parseInt(option(arguments, "--rounds", "3"));
        int idle = Integer.parseInt(option(arguments, "--idle", "10000"));
        List<Variant> variants = Arrays.stream(
                        option(arguments, "--variants", "SOTW,DELTA").split(",", -1))
                .map(Variant::valueOf)
                .toList();
        for (Variant variant : variants) {
            for (String count : clients) {
                compare(variant, Integer.parseInt(count), rounds);
            }
        }
        if (idle > 0) {
            Result result = run("parley", Variant.SOTW, idle);
            System.out.printf(
                    Locale.ROOT, "%n%d idle streams of parley: %.1f KiB of heap each%n", idle, result.heapKib());
        }
    }

    private static void compare(Variant variant, int clients, int rounds) throws IOException {
        List<List<Result>> results = List.of(new ArrayList<>(), new ArrayList<>());
        List<Double> floor = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            for (int subject = 0; subject < SUBJECTS.size(); subject++) {
                results.get(subject).add(run(SUBJECTS.get(subject), variant, clients));
            }
            if (variant == Variant.DELTA) {
                floor.add(run(FLOOR, variant, clients).changeCpuMillis());
            }
        }
        System.out.printf(
                "%n%s, %d clients of %d clusters, median of %d rounds%n%-36s %20s %12s %10s%n",
                variant, clients, Resources.CLUSTERS, rounds, "", SUBJECTS.get(0), SUBJECTS.get(1), "ratio");
        for (int i = 0; i < Result.HEADERS.size(); i++) {
            int column = i;
            double theirs = median(
                    results.get(0).stream().map(r -> r.values().get(column)).toList());
            double ours = median(
                    results.get(1).stream().map(r -> r.values().get(column)).toList());
            System.out.printf(
                    Locale.ROOT, "%-36s %20.2f %12.2f %9.1fx%n", Result.HEADERS.get(i), theirs, ours, theirs / ours);
        }
        if (!floor.isEmpty()) {
            System.out.printf(
                    Locale.ROOT,
                    "gRPC alone, sending prepared bytes from the publisher's thread, takes %.2f ms of CPU per change%n",
                    median(floor));
        }
    }

    private static Result run(String subject, Variant variant, int count) throws IOException {
        try (ServerProcess server = new ServerProcess(subject)) {
            warmUp(server, variant);
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2)); // until the server has noticed that they left
            long emptyHeap = server.heapBytes();
            long cpu = server.cpuNanos();
            long start = System.nanoTime();
            try (Clients clients = new Clients(server.port(), count, variant)) {
                Duration connected = clients.await(count, start);
                double connectCpu = (server.cpuNanos() - cpu) / 1e9;
                double heap = (server.heapBytes() - emptyHeap) / 1024.0 / count;
                change(server, clients, count, SETTLING);
                long cpuBefore = server.cpuNanos();
                long bytes = clients.bytes.sum();
                List<Double> millis = change(server, clients, count, MEASURED);
                double changeCpu = (server.cpuNanos() - cpuBefore) / 1e6 / millis.size();
                double kib = (clients.bytes.sum() - bytes) / 1024.0 / count / millis.size();
                return new Result(connected.toNanos() / 1e9, connectCpu, heap, median(millis), changeCpu, kib);
            }
        }
    }

    /** So that neither server is measured while it is still being compiled. */
    private static void warmUp(ServerProcess server, Variant variant) {
        try (Clients clients = new Clients(server.port(), FEW, variant)) {
            clients.await(FEW, System.nanoTime());
            change(server, clients, FEW, WARM_UP);
        }
    }

    /** Changes one cluster after the other for this long, but a few at least; how long each change took to reach the last client. */
    private static List<Double> change(ServerProcess server, Clients clients, int count, Duration time) {
        List<Double> millis = new ArrayList<>();
        long end = System.nanoTime() + time.toNanos();
        while (millis.size() < FEWEST_CHANGES || System.nanoTime() < end) {
            int before = clients.answers();
            int change = CHANGES.incrementAndGet(); // never the same endpoints again, which would be no change
            long changed = System.nanoTime();
            server.change(change * 7 % Resources.CLUSTERS, change);
            millis.add(clients.await(before + count, changed).toNanos() / 1e6);
        }
        return millis;
    }

    private static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }

    private static String option(String[] arguments, String name, String fallback) {
        int at = Arrays.asList(arguments).indexOf(name);
        return at < 0 ? fallback : arguments[at + 1];
    }
}
