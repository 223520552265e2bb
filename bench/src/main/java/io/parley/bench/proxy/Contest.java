package io.parley.bench.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All proxies run all the time, and work in turn, so that what disturbs one disturbs the others. */
final class Contest implements AutoCloseable {
    /** Rounds before those that count: at least and at most. While the compiler is at work each is cheaper than the one before. */
    private static final int LEAST_WARM_UP = 4;

    private static final int MOST_WARM_UP = 15;

    /** A round of warming up is as long as so many that count: a short one may be cheaper by chance. */
    private static final int WARM_UP_LENGTH = 3;

    /** Rounds at a fixed rate, which are long, are fewer than others by this, but {@link #LEAST_LATENCIES} at least. */
    private static final int LATENCIES_SHARE = 3;

    private static final int LEAST_LATENCIES = 3;

    /** A round that costs more than this share of the one before ends the warm-up. */
    private static final double SETTLED = 0.97;

    private static final int MEMORY_LOOKS = 5;
    private static final long LOOK_MILLIS = 1_000;

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
            double cost = cost(started, WARM_UP_LENGTH * row.requests());
            if (round >= LEAST_WARM_UP && cost > before * SETTLED) {
                return;
            }
            before = cost;
        }
    }

    /** Processor seconds for 100,000 requests, from so many. */
    private double cost(Processes working, int requests) throws IOException, InterruptedException {
        double before = working.cpuSeconds();
        row.load().run(working.address(), requests);
        return (working.cpuSeconds() - before) * 100_000 / requests;
    }

    /** A line: what each cost, and ours as a share of the best other's. */
    String run(int rounds) throws IOException, InterruptedException {
        Map<Subject, List<Double>> costs = new LinkedHashMap<>();
        Map<Subject, List<Double>> rates = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (var entry : running.entrySet()) {
                long from = System.nanoTime();
                double cost = cost(entry.getValue(), row.requests());
                double seconds = (System.nanoTime() - from) / 1e9;
                costs.computeIfAbsent(entry.getKey(), _ -> new ArrayList<>()).add(cost);
                rates.computeIfAbsent(entry.getKey(), _ -> new ArrayList<>()).add(row.requests() / seconds);
            }
        }
        StringBuilder line = new StringBuilder("%-38s".formatted(row.title()));
        running.forEach((subject, processes) -> line.append(" %s %.2f (%.0f/s; %.0f)"
                .formatted(
                        subject.name(),
                        median(costs.getOrDefault(subject, List.of())),
                        median(rates.getOrDefault(subject, List.of())),
                        processes.residentMebibytes())));
        return line.append("  ours / best %s (goal %.2f)".formatted(Ratio.ofOursToBest(costs), row.goal()))
                .toString();
    }

    /**
     * A line: median and 99th percentile of each at a fixed rate, and ours as a share of the best other's; medians of rounds in turn. The
     * first round does not count: what is done at this rate is not what the warm-up did.
     */
    String latencies(WebLoad load, int rounds, Path folder) throws IOException, InterruptedException {
        Map<Subject, List<Double>> middles = new LinkedHashMap<>();
        Map<Subject, List<Double>> tails = new LinkedHashMap<>();
        int counted = Math.max(LEAST_LATENCIES, rounds / LATENCIES_SHARE);
        for (int round = 0; round <= counted; round++) {
            for (var entry : running.entrySet()) {
                long[] micros = load.latencies(entry.getValue().address(), folder);
                if (round == 0) {
                    continue;
                }
                middles.computeIfAbsent(entry.getKey(), _ -> new ArrayList<>()).add((double) micros[micros.length / 2]);
                tails.computeIfAbsent(entry.getKey(), _ -> new ArrayList<>())
                        .add((double) micros[micros.length * 99 / 100]);
            }
        }
        StringBuilder line = new StringBuilder();
        tails.forEach((subject, each) -> line.append("%s %.0f µs, %.0f µs   "
                .formatted(subject.name(), median(middles.getOrDefault(subject, List.of())), median(each))));
        return line.append("p99 ours / best %s (goal 1.00)".formatted(Ratio.ofOursToBest(tails)))
                .toString();
    }

    /** A line: memory of each while so many connections are open that have carried requests, and go on doing so. */
    String memory(WebLoad load, int connections) throws IOException, InterruptedException {
        StringBuilder line = new StringBuilder();
        for (var entry : running.entrySet()) {
            double[] resident = new double[MEMORY_LOOKS];
            try (AutoCloseable _ = load.openCrowd(entry.getValue().address(), connections)) {
                for (int look = 0; look < MEMORY_LOOKS; look++) {
                    Thread.sleep(LOOK_MILLIS);
                    resident[look] = entry.getValue().residentMebibytes();
                }
            } catch (InterruptedException | IOException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            line.append("%s %.0f to %.0f MiB   "
                    .formatted(
                            entry.getKey().name(),
                            Arrays.stream(resident).min().orElseThrow(),
                            Arrays.stream(resident).max().orElseThrow()));
        }
        return line.toString();
    }

    static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    @Override
    public void close() {
        running.values().forEach(Processes::close);
    }
}
