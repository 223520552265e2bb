package io.parley.bench.proxy;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** {@code bench/run proxy [--rounds 9] [--rows SMALL,BULK,…] [--without-latency]}. */
final class Main {
    private static final PrintStream OUT = System.out;
    private static final List<Subject> SUBJECTS =
            List.of(new Parley(), new Haproxy(), new Nginx(), new Nghttpx(), new SystemCallsOnly());

    private static final int CROWD = 1_000;

    private Main() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> options = List.of(arguments);
        int rounds = Integer.parseInt(option(options, "--rounds", "9"));
        String asked = option(options, "--rows", "");
        List<Row> rows = asked.isEmpty()
                ? Row.ALL
                : Arrays.stream(asked.split(",", -1)).map(Row::named).toList();
        new ProcessBuilder(
                        "taskset",
                        "-acp",
                        Processes.OTHERS,
                        Long.toString(ProcessHandle.current().pid()))
                .start()
                .waitFor();
        Path folder = Files.createTempDirectory("bench-proxy");
        Certificates tls = new Certificates(folder);
        try (Origin echo = new Origin(new byte[0]);
                WebOrigin web = new WebOrigin(folder)) {
            OUT.println(
                    "CPU seconds of the proxies for 100,000 requests (requests a second at full load; resident MiB),"
                            + " median of " + rounds + " rounds; one worker thread each");
            for (Row row : rows) {
                InetSocketAddress origin = row.setup().isHttp() ? web.address(row.setup()) : echo.address();
                try (Contest contest = Contest.start(row, SUBJECTS, origin, tls, folder)) {
                    OUT.println(contest.run(rounds));
                }
            }
            if (!options.contains("--without-latency")) {
                latencies(web, tls, rounds, folder);
            }
        }
        System.exit(0);
    }

    private static void latencies(WebOrigin web, Certificates tls, int rounds, Path folder)
            throws IOException, InterruptedException {
        OUT.println("HTTP/1.1, small, at " + WebLoad.FIXED_RATE + " requests a second: p50 and p99");
        InetSocketAddress origin = web.address(Setup.HTTP1);
        try (Contest contest = Contest.start(Row.WEB, SUBJECTS, origin, tls, folder)) {
            OUT.println(contest.latencies(WebLoad.HTTP1_SMALL, rounds, folder));
            OUT.println("Resident memory with " + CROWD + " connections of HTTP/1.1 at work, over five seconds");
            OUT.println(contest.memory(WebLoad.HTTP1_SMALL, CROWD));
        }
        OUT.println("From launch, median of several (least and most); goal: below 500 ms");
        OUT.println(Launch.measure(origin, folder));
        OUT.println("Time to the first byte, median of 300 connections");
        byte[] query = "select 1;".getBytes(StandardCharsets.US_ASCII);
        OUT.println(FirstByte.measure("the client speaks first", new byte[0], query, tls, folder));
        byte[] greeting = "220 hi\r\n".getBytes(StandardCharsets.US_ASCII);
        OUT.println(FirstByte.measure("the server speaks first", greeting, new byte[0], tls, folder));
    }

    private static String option(List<String> options, String name, String absent) {
        int at = options.indexOf(name);
        return at < 0 ? absent : options.get(at + 1);
    }
}
