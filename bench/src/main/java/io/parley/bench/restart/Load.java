package io.parley.bench.restart;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program that asks and counts, run again and again. */
final class Load {
    /** What one run has to say. */
    private record Count(long requests, long failures) {}

    private interface Reader {
        Count of(String report);
    }

    private static final Pattern WRK_REQUESTS = Pattern.compile("(\\d+) requests in");
    private static final Pattern WRK_FAILURES =
            Pattern.compile("connect (\\d+)|read (\\d+)|write (\\d+)|timeout (\\d+)|Non-2xx or 3xx responses: (\\d+)");
    private static final Pattern H2LOAD = Pattern.compile("(\\d+) started, (\\d+) done, (\\d+) succeeded");

    private final List<String> command;
    private final Reader reader;
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    private Load(Reader reader, String... command) {
        this.command = List.of(command);
        this.reader = reader;
    }

    /** For HTTP/1.1 on kept connections. */
    static Load wrk(String url) {
        return new Load(Load::ofWrk, "wrk", "-t1", "-c8", "-d20s", "--timeout", "15s", url);
    }

    private static Count ofWrk(String report) {
        long failed = 0;
        for (Matcher some = WRK_FAILURES.matcher(report); some.find(); ) {
            for (int i = 1; i <= some.groupCount(); i++) {
                failed += some.group(i) == null ? 0 : Long.parseLong(some.group(i));
            }
        }
        return new Count(require(WRK_REQUESTS, report, 1), failed);
    }

    /** For HTTP/2, many requests at a time on each connection. */
    static Load h2load(String url) {
        return new Load(Load::ofH2load, "h2load", "-t1", "-c4", "-m10", "-n10000", url);
    }

    /** After a GOAWAY it gives up what it has not asked yet and calls that failed; what counts is what it has asked. */
    private static Count ofH2load(String report) {
        long succeeded = require(H2LOAD, report, 3);
        return new Count(succeeded, require(H2LOAD, report, 1) - succeeded);
    }

    private static long require(Pattern pattern, String report, int group) {
        Matcher found = pattern.matcher(report);
        if (!found.find()) {
            throw new IllegalStateException("no report (expected: " + pattern + "): " + report);
        }
        return Long.parseLong(found.group(group));
    }

    Thread until(BooleanSupplier over) {
        return Thread.ofPlatform().start(() -> {
            while (!over.getAsBoolean()) {
                run();
            }
        });
    }

    private void run() {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String report = String.join("\n", process.inputReader().lines().toList());
            Count count = reader.of(report);
            requests.addAndGet(count.requests);
            failures.addAndGet(count.failures);
            if (count.failures > 0) {
                System.out.println(report);
            }
        } catch (IOException e) {
            throw new IllegalStateException(command.getFirst() + " cannot be run; is it installed?", e);
        }
    }

    long requests() {
        return requests.get();
    }

    long failures() {
        return failures.get();
    }
}
