package io.parley.bench.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** HTTP requests by h2load (package {@code nghttp2-client}). */
enum WebLoad implements Load {
    HTTP1_SMALL(WebOrigin.SMALL, "--h1 -c16"),
    HTTP1_LARGE(WebOrigin.LARGE, "--h1 -c16"),
    HTTP2_SMALL(WebOrigin.SMALL, "-c8 -m8"),
    HTTP2_LARGE(WebOrigin.LARGE, "-c8 -m8");

    /** Requests a second, over 16 connections. */
    static final int FIXED_RATE = 2_000;

    /** Long enough that the connections' first and last requests, which meet them being made and ended, are not what the 99th percentile is of. */
    static final int FIXED_SECONDS = 20;

    private final String path;
    private final String options;

    WebLoad(String path, String options) {
        this.path = path;
        this.options = options;
    }

    @Override
    public void run(InetSocketAddress address, int requests) throws IOException, InterruptedException {
        h2load(address, List.of("-n" + requests));
    }

    /** Latencies in microseconds at a fixed rate, in order. */
    long[] latencies(InetSocketAddress address, Path folder) throws IOException, InterruptedException {
        Path log = folder.resolve("latencies.tsv");
        Files.deleteIfExists(log);
        h2load(
                address,
                List.of(
                        "-n" + FIXED_RATE * FIXED_SECONDS,
                        "-c16",
                        "-m1",
                        "--rps=" + FIXED_RATE / 16,
                        "--log-file=" + log));
        try (var lines = Files.lines(log)) {
            long[] micros = lines.mapToLong(line -> Long.parseLong(line.split("\t", -1)[2]))
                    .toArray();
            Arrays.sort(micros);
            return micros;
        }
    }

    /** Requests over so many connections, for as long as it is open. */
    AutoCloseable openCrowd(InetSocketAddress address, int connections) throws IOException {
        Process process = new ProcessBuilder(
                        "h2load",
                        "-t1",
                        "--h1",
                        "-c" + connections,
                        "-D600",
                        "http://127.0.0.1:" + address.getPort() + path)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process::destroyForcibly;
    }

    private void h2load(InetSocketAddress address, List<String> more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("h2load", "-t1"));
        command.addAll(List.of(options.split(" ", -1)));
        command.addAll(more);
        command.add("http://127.0.0.1:" + address.getPort() + path);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String report = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0 || !report.contains(" 0 failed, 0 errored, 0 timeout")) {
            throw new IllegalStateException(command + "\n" + report);
        }
        if (!report.contains(" 0 3xx, 0 4xx, 0 5xx")) {
            throw new IllegalStateException("answers other than 2xx: " + command + "\n" + report);
        }
    }
}
