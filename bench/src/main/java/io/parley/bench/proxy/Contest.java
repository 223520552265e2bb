package io.parley.bench.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All proxies run all the time, and work in turn, so that what disturbs one disturbs the others. */
final class Contest implements AutoCloseable {
    private static final int OURS = 0;

    /** Rounds before those that count: at least and at most. While the compiler is at work each is cheaper than the one before. */
    private static final int LEAST_WARM_UP = 4;

    private static final int MOST_WARM_UP = 15;

    /** A round that costs more than this share of the one before ends the warm-up. */
    private static final double SETTLED = 0.97;

    private final Row row;
    private final Map<Subject, Processes> running = new LinkedHashMap<>();

    private Contest(Row row) {
        this.row = row;
    }

    /** Starts those that can do it, ours first, and warms them up. */
    static Contest start(Row row, List<Subject> subjects, InetSocketAddress origin, Certificates tls, Path folder)
            throws IOException, InterruptedException {
        Contest contest = new Contest(row);
        for (Subject subject : subjects) {
            if (subject.can(row.setup())) {
                Processes started = subject.start(row.setup(), origin, tls, folder);
                contest.running.put(subject, started);
                contest.warmUp(started);
            }
        }
        return contest;
    }

    /** The same for all, though only ours has a compiler. */
    private void warmUp(Processes started) throws IOException, InterruptedException {
        double before = Double.MAX_VALUE;
        for (int round = 1; round <= MOST_WARM_UP; round++) {
            double cost = cost(started);
            if (round >= LEAST_WARM_UP && cost > before * SETTLED) {
                return;
            }
            before = cost;
        }
    }

    /** Processor seconds of a round, for 100,000 requests. */
    private double cost(Processes working) throws IOException, InterruptedException {
        double before = working.cpuSeconds();
        row.load().run(working.address(), row.requests());
        return (working.cpuSeconds() - before) * 100_000 / row.requests();
    }

    /** A line: what each cost, and ours as a share of the best other's. */
    String run(int rounds) throws IOException, InterruptedException {
        Map<Subject, List<Double>> costs = new LinkedHashMap<>();
        Map<Subject, List<Double>> rates = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (var entry : running.entrySet()) {
                long from = System.nanoTime();
                double cost = cost(entry.getValue());
                double seconds = (System.nanoTime() - from) / 1e9;
                costs.computeIfAbsent(entry.getKey(), _ -> new ArrayList<>()).add(cost);
                rates.computeIfAbsent(entry.getKey(), _ -> new ArrayList<>()).add(row.requests() / seconds);
            }
        }
        StringBuilder line = new StringBuilder("%-38s".formatted(row.title()));
        List<Double> medians = new ArrayList<>();
        running.forEach((subject, processes) -> {
            double cost = median(costs.getOrDefault(subject, List.of()));
            medians.add(cost);
            line.append(" %s %.2f (%.0f/s; %.0f)"
                    .formatted(
                            subject.name(),
                            cost,
                            median(rates.getOrDefault(subject, List.of())),
                            processes.residentMebibytes()));
        });
        double best =
                medians.stream().skip(OURS + 1).mapToDouble(cost -> cost).min().orElse(Double.NaN);
        return line.append("  ours / best %.2f (goal %.2f)".formatted(medians.get(OURS) / best, row.goal()))
                .toString();
    }

    /** A line: median and 99th percentile of each at a fixed rate. */
    String latencies(WebLoad load, Path folder) throws IOException, InterruptedException {
        StringBuilder line = new StringBuilder();
        for (var entry : running.entrySet()) {
            long[] micros = load.latencies(entry.getValue().address(), folder);
            line.append("%s %d µs, %d µs   "
                    .formatted(entry.getKey().name(), micros[micros.length / 2], micros[micros.length * 99 / 100]));
        }
        return line.toString();
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    @Override
    public void close() {
        running.values().forEach(Processes::close);
    }
}
