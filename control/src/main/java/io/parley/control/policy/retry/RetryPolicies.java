package io.parley.control.policy.retry;

import static io.parley.control.draft.Protos.any;
import static io.parley.control.draft.Protos.duration;
import static io.parley.control.draft.Protos.number;

import io.envoyproxy.envoy.config.core.v3.Metadata;
import io.envoyproxy.envoy.config.route.v3.RetryPolicy;
import io.envoyproxy.envoy.config.route.v3.RetryPolicy.RateLimitedRetryBackOff;
import io.envoyproxy.envoy.config.route.v3.RetryPolicy.ResetHeader;
import io.envoyproxy.envoy.config.route.v3.RetryPolicy.ResetHeaderFormat;
import io.envoyproxy.envoy.config.route.v3.RetryPolicy.RetryHostPredicate;
import io.envoyproxy.envoy.extensions.retry.host.omit_host_metadata.v3.OmitHostMetadataConfig;
import io.envoyproxy.envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate;
import io.parley.control.draft.HeaderMatchers;
import io.parley.control.draft.Protos;
import io.parley.resource.policy.retry.BackOff;
import io.parley.resource.policy.retry.HostSelection;
import io.parley.resource.policy.retry.RateLimitedBackOff;
import io.parley.resource.policy.retry.Retries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Retries in the words of Envoy. */
final class RetryPolicies {
    private static final Duration BASE = Duration.ofMillis(25);
    private static final int GROWTH = 10;
    private static final Duration RATE_LIMITED_MAX = Duration.ofMinutes(5);
    private static final String METHOD = "HttpMethod";
    private static final String HTTP_USUALLY = "gateway-error,connect-failure,refused-stream";
    private static final String GRPC_USUALLY =
            "cancelled,connect-failure,gateway-error,refused-stream,reset,resource-exhausted,unavailable";

    private static final Map<String, String> CONDITIONS = Map.ofEntries(
            Map.entry("5xx", "5xx"),
            Map.entry("GatewayError", "gateway-error"),
            Map.entry("Reset", "reset"),
            Map.entry("Retriable4xx", "retriable-4xx"),
            Map.entry("ConnectFailure", "connect-failure"),
            Map.entry("EnvoyRatelimited", "envoy-ratelimited"),
            Map.entry("RefusedStream", "refused-stream"),
            Map.entry("Http3PostConnectFailure", "http3-post-connect-failure"),
            Map.entry("Canceled", "cancelled"),
            Map.entry("DeadlineExceeded", "deadline-exceeded"),
            Map.entry("Internal", "internal"),
            Map.entry("ResourceExhausted", "resource-exhausted"),
            Map.entry("Unavailable", "unavailable"));

    private RetryPolicies() {}

    static RetryPolicy http(Retries.Http http) {
        RetryPolicy.Builder policy = common(http.numRetries(), http.perTryTimeout(), http.backOff());
        rateLimited(http.rateLimitedBackOff(), policy);
        List<String> on = new ArrayList<>();
        for (String condition : http.retryOn()) {
            if (condition.startsWith(METHOD)) {
                policy.addRetriableRequestHeaders(HeaderMatchers.method(
                        condition.substring(METHOD.length()).toUpperCase(java.util.Locale.ROOT)));
            } else if (CONDITIONS.containsKey(condition)) {
                on.add(CONDITIONS.get(condition));
            } else {
                policy.addRetriableStatusCodes(Integer.parseInt(condition));
            }
        }
        if (policy.getRetriableStatusCodesCount() > 0) {
            on.add("retriable-status-codes");
        }
        http.retriableResponseHeaders().forEach(header -> policy.addRetriableHeaders(HeaderMatchers.of(header)));
        if (!http.retriableResponseHeaders().isEmpty()) {
            on.add("retriable-headers");
        }
        http.retriableRequestHeaders().forEach(header -> policy.addRetriableRequestHeaders(HeaderMatchers.of(header)));
        http.hostSelection().forEach(selection -> hostSelection(selection, policy));
        if (http.hostSelectionMaxAttempts() != null) {
            policy.setHostSelectionRetryMaxAttempts(http.hostSelectionMaxAttempts());
        }
        return policy.setRetryOn(on.isEmpty() ? HTTP_USUALLY : String.join(",", on))
                .build();
    }

    static RetryPolicy grpc(Retries.Grpc grpc) {
        RetryPolicy.Builder policy = common(grpc.numRetries(), grpc.perTryTimeout(), grpc.backOff());
        rateLimited(grpc.rateLimitedBackOff(), policy);
        List<String> on = grpc.retryOn().stream()
                .map(condition -> CONDITIONS.getOrDefault(condition, condition))
                .toList();
        return policy.setRetryOn(on.isEmpty() ? GRPC_USUALLY : String.join(",", on))
                .build();
    }

    private static RetryPolicy.Builder common(
            @Nullable Integer retries, @Nullable Duration perTry, @Nullable BackOff backOff) {
        RetryPolicy.Builder policy = RetryPolicy.newBuilder().setNumRetries(number(retries == null ? 1 : retries));
        if (perTry != null) {
            policy.setPerTryTimeout(duration(perTry));
        }
        if (backOff != null) {
            Duration base = backOff.baseInterval() == null ? BASE : backOff.baseInterval();
            Duration max = backOff.maxInterval() == null ? base.multipliedBy(GROWTH) : backOff.maxInterval();
            policy.getRetryBackOffBuilder().setBaseInterval(duration(base)).setMaxInterval(duration(max));
        }
        return policy;
    }

    private static void rateLimited(@Nullable RateLimitedBackOff backOff, RetryPolicy.Builder policy) {
        if (backOff == null) {
            return;
        }
        RateLimitedRetryBackOff.Builder limited = policy.getRateLimitedRetryBackOffBuilder()
                .setMaxInterval(duration(backOff.maxInterval() == null ? RATE_LIMITED_MAX : backOff.maxInterval()));
        for (RateLimitedBackOff.ResetHeader header : backOff.resetHeaders()) {
            limited.addResetHeaders(ResetHeader.newBuilder()
                    .setName(header.name())
                    .setFormat(
                            switch (header.format()) {
                                case SECONDS -> ResetHeaderFormat.SECONDS;
                                case UNIX_TIMESTAMP -> ResetHeaderFormat.UNIX_TIMESTAMP;
                            }));
        }
    }

    private static void hostSelection(HostSelection selection, RetryPolicy.Builder policy) {
        switch (selection.predicate()) {
            case OMIT_PREVIOUS_HOSTS ->
                policy.addRetryHostPredicate(RetryHostPredicate.newBuilder()
                        .setName("envoy.retry_host_predicates.previous_hosts")
                        .setTypedConfig(any(PreviousHostsPredicate.getDefaultInstance())));
            case OMIT_HOSTS_WITH_TAGS ->
                policy.addRetryHostPredicate(RetryHostPredicate.newBuilder()
                        .setName("envoy.retry_host_predicates.omit_host_metadata")
                        .setTypedConfig(any(OmitHostMetadataConfig.newBuilder()
                                .setMetadataMatch(Metadata.newBuilder()
                                        .putFilterMetadata("envoy.lb", Protos.struct(selection.tags())))
                                .build())));
            case OMIT_PREVIOUS_PRIORITIES ->
                policy.getRetryPriorityBuilder()
                        .setName("envoy.retry_priorities.previous_priorities")
                        .setTypedConfig(any(io.envoyproxy.envoy.extensions.retry.priority.previous_priorities.v3
                                .PreviousPrioritiesConfig.newBuilder()
                                .setUpdateFrequency(selection.updateFrequency())
                                .build()));
        }
    }
}
