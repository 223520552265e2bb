package io.parley.proxy.config.xds.http;

import io.parley.proxy.http.FieldMatch;
import io.parley.proxy.http.RetryPolicy;
import io.parley.proxy.http.RetryPolicy.On;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads when a request is sent again. */
final class RetryReader {
    private static final int LONGEST_BACKOFF = 10;
    private static final String FIELDS = "retriable-headers";

    private RetryReader() {}

    static RetryPolicy read(io.envoyproxy.envoy.config.route.v3.RetryPolicy policy, Problems problems) {
        EnumSet<On> on = EnumSet.noneOf(On.class);
        Set<Integer> statuses = new HashSet<>();
        Set<Integer> grpc = new HashSet<>();
        for (String word : policy.getRetryOn().split(",", -1)) {
            add(word.strip(), policy, on, statuses, grpc, problems);
        }
        Duration base = policy.hasRetryBackOff()
                ? ActionReader.duration(policy.getRetryBackOff().getBaseInterval())
                : RetryPolicy.DEFAULT_BACKOFF;
        Duration longest = policy.hasRetryBackOff() && policy.getRetryBackOff().hasMaxInterval()
                ? ActionReader.duration(policy.getRetryBackOff().getMaxInterval())
                : base.multipliedBy(LONGEST_BACKOFF);
        return new RetryPolicy(
                on,
                statuses,
                fields(policy, problems),
                grpc,
                policy.hasNumRetries() ? policy.getNumRetries().getValue() : 1,
                policy.hasPerTryTimeout() ? ActionReader.duration(policy.getPerTryTimeout()) : null,
                base,
                longest,
                RetryPolicy.DEFAULT_BUDGET_PERCENT);
    }

    /** Those that are listed count only if they are asked for, as Envoy has it. */
    private static List<FieldMatch> fields(io.envoyproxy.envoy.config.route.v3.RetryPolicy policy, Problems problems) {
        return Arrays.stream(policy.getRetryOn().split(",", -1))
                        .anyMatch(word -> word.strip().equals(FIELDS))
                ? policy.getRetriableHeadersList().stream()
                        .map(header -> Matchers.header(header, problems.under("retriable_headers")))
                        .toList()
                : List.of();
    }

    private static void add(
            String word,
            io.envoyproxy.envoy.config.route.v3.RetryPolicy policy,
            Set<On> on,
            Set<Integer> statuses,
            Set<Integer> grpc,
            Problems problems) {
        switch (word) {
            case "5xx" -> on.add(On.SERVER_ERROR);
            case "gateway-error" -> on.add(On.GATEWAY_ERROR);
            case "reset", "reset-before-request" -> on.add(On.RESET);
            case "connect-failure", "refused-stream" -> on.add(On.CONNECT_FAILURE);
            case "retriable-4xx" -> on.add(On.CONFLICT);
            case "retriable-status-codes" -> statuses.addAll(policy.getRetriableStatusCodesList());
            case "cancelled" -> grpc.add(1);
            case "deadline-exceeded" -> grpc.add(4);
            case "resource-exhausted" -> grpc.add(8);
            case "internal" -> grpc.add(13);
            case "unavailable" -> grpc.add(14);
            case "", FIELDS -> {}
            default -> problems.add("retry_on", word + " (expected: a condition that this proxy knows)");
        }
    }
}
