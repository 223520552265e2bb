package io.parley.bench.proxy;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** {@code bench/run proxy [--rounds 3] [--rows SMALL,BULK,…]}. */
final class Main {
    private static final PrintStream OUT = System.out;

    private Main() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> options = List.of(arguments);
        int rounds = Integer.parseInt(option(options, "--rounds", "3"));
        List<Row> rows = Arrays.stream(option(options, "--rows", "SMALL,BULK,NEW,MTLS_KEPT,MTLS_NEW")
                        .split(","))
                .map(Row::valueOf)
                .toList();
        int processors = Runtime.getRuntime().availableProcessors();
        new ProcessBuilder(
                        "taskset",
                        "-acp",
                        "1-" + (processors - 1),
                        Long.toString(ProcessHandle.current().pid()))
                .start()
                .waitFor();
        Path folder = Files.createTempDirectory("bench-proxy");
        Certificates tls = new Certificates(folder);
        OUT.println("CPU seconds of the proxies for 100,000 requests, median of " + rounds
                + " rounds; one worker thread each");
        OUT.printf("%-40s %10s %10s %10s %12s %6s%n", "", "parley", "haproxy", "nginx", "ours / best", "goal");
        for (Row row : rows) {
            print(row, measure(row, rounds, tls, folder));
        }
        OUT.println("Time to the first byte, median of 300 connections");
        byte[] query = "select 1;".getBytes(StandardCharsets.US_ASCII);
        OUT.println(FirstByte.measure("the client speaks first", new byte[0], query, folder));
        OUT.println(FirstByte.measure(
                "the server speaks first", "220 hi\r\n".getBytes(StandardCharsets.US_ASCII), new byte[0], folder));
        System.exit(0);
    }

    private static String option(List<String> options, String name, String absent) {
        int at = options.indexOf(name);
        return at < 0 ? absent : options.get(at + 1);
    }

    /** All proxies run all the time, and work in turn, so that what disturbs one disturbs the others. */
    private static Map<Subject, Double> measure(Row row, int rounds, Certificates tls, Path folder)
            throws IOException, InterruptedException {
        Map<Subject, List<Double>> seen = new EnumMap<>(Subject.class);
        Map<Subject, Processes> running = new EnumMap<>(Subject.class);
        try (Origin origin = new Origin(new byte[0])) {
            for (Subject subject : Subject.values()) {
                Processes started = subject.start(row.setup, origin.address(), tls, folder);
                running.put(subject, started);
                row.load.run(started.address(), subject == Subject.PARLEY ? row.requests * 2 : row.requests / 10);
            }
            for (int round = 0; round < rounds; round++) {
                for (var entry : running.entrySet()) {
                    double before = entry.getValue().cpuSeconds();
                    row.load.run(entry.getValue().address(), row.requests);
                    double cost = (entry.getValue().cpuSeconds() - before) * 100_000 / row.requests;
                    seen.computeIfAbsent(entry.getKey(), _ -> new ArrayList<>()).add(cost);
                }
            }
        } finally {
            running.values().forEach(Processes::close);
        }
        Map<Subject, Double> medians = new EnumMap<>(Subject.class);
        seen.forEach((subject, costs) ->
                medians.put(subject, costs.stream().sorted().toList().get(costs.size() / 2)));
        return medians;
    }

    private static void print(Row row, Map<Subject, Double> costs) {
        double ours = costs.getOrDefault(Subject.PARLEY, Double.NaN);
        double haproxy = costs.getOrDefault(Subject.HAPROXY, Double.NaN);
        double nginx = costs.getOrDefault(Subject.NGINX, Double.NaN);
        OUT.printf(
                "%-40s %10.2f %10.2f %10.2f %12.2f %6.2f%n",
                row.title, ours, haproxy, nginx, ours / Math.min(haproxy, nginx), row.goal);
    }
}
