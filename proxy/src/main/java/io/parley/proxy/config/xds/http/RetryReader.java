package io.parley.proxy.config.xds.http;

import io.parley.proxy.http.FieldMatch;
import io.parley.proxy.http.RetryPolicy;
import io.parley.proxy.http.RetryPolicy.On;
import io.parley.proxy.http.TextMatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads when a request is sent again. */
final class RetryReader {
    private static final int LONGEST_BACKOFF = 10;
    private static final String FIELDS = "retriable-headers";
    private static final String RATE_LIMITED = "envoy-ratelimited";

    /** With which a proxy of ours or Envoy says that it has answered in the place of the server. */
    private static final String RATE_LIMITED_FIELD = "x-envoy-ratelimited";

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
                policy.getRetriableRequestHeadersList().stream()
                        .map(header -> Matchers.header(header, problems.under("retriable_request_headers")))
                        .toList(),
                on,
                statuses,
                fields(policy, problems),
                grpc,
                policy.hasNumRetries() ? policy.getNumRetries().getValue() : 1,
                perTry(policy),
                base,
                longest,
                RetryPolicy.DEFAULT_BUDGET_PERCENT);
    }

    /** Zero is no limit, as for the whole. */
    private static @Nullable Duration perTry(io.envoyproxy.envoy.config.route.v3.RetryPolicy policy) {
        Duration time = ActionReader.duration(policy.getPerTryTimeout());
        return time.isPositive() ? time : null;
    }

    /** Those that are listed count only if they are asked for, as Envoy has it. */
    private static List<FieldMatch> fields(io.envoyproxy.envoy.config.route.v3.RetryPolicy policy, Problems problems) {
        List<String> words = Arrays.stream(policy.getRetryOn().split(",", -1))
                .map(String::strip)
                .toList();
        List<FieldMatch> fields = new ArrayList<>();
        if (words.contains(FIELDS)) {
            policy.getRetriableHeadersList()
                    .forEach(header -> fields.add(Matchers.header(header, problems.under("retriable_headers"))));
        }
        if (words.contains(RATE_LIMITED)) {
            fields.add(FieldMatch.header(RATE_LIMITED_FIELD, new TextMatch.Present(), FieldMatch.Sense.IS));
        }
        return fields;
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
            case "reset" -> on.add(On.RESET);
            // Envoy's word for requests that nobody has seen. Those are sent again anyhow; others if that does no harm.
            case "reset-before-request" -> on.add(On.HARMLESS_RESET);
            case "connect-failure", "refused-stream" -> on.add(On.CONNECT_FAILURE);
            case "retriable-4xx" -> on.add(On.CONFLICT);
            case "retriable-status-codes" -> statuses.addAll(policy.getRetriableStatusCodesList());
            case "cancelled" -> grpc.add(1);
            case "deadline-exceeded" -> grpc.add(4);
            case "resource-exhausted" -> grpc.add(8);
            case "internal" -> grpc.add(13);
            case "unavailable" -> grpc.add(14);
            case "", FIELDS, RATE_LIMITED -> {}
            // Nothing is sent by HTTP/3, so nothing fails by it.
            case "http3-post-connect-failure" -> {}
            default -> problems.add("retry_on", word + " (expected: a condition that this proxy knows)");
        }
    }
}
