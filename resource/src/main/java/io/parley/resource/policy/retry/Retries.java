package io.parley.resource.policy.retry;

import static io.parley.resource.read.DurationRange.NOT_NEGATIVE;

import io.parley.resource.policy.HeaderMatch;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a MeshRetry sets for each protocol. */
public record Retries(
        @Nullable Integer maxConnectAttempts,
        @Nullable Http http,
        @Nullable Grpc grpc) {
    /**
     * For HTTP.
     *
     * @param retryOn conditions by their name, or status codes
     */
    public record Http(
            @Nullable Integer numRetries,
            @Nullable Duration perTryTimeout,
            @Nullable BackOff backOff,
            @Nullable RateLimitedBackOff rateLimitedBackOff,
            List<String> retryOn,
            List<HeaderMatch> retriableResponseHeaders,
            List<HeaderMatch> retriableRequestHeaders,
            List<HostSelection> hostSelection,
            @Nullable Integer hostSelectionMaxAttempts) {}

    /** For gRPC. */
    public record Grpc(
            @Nullable Integer numRetries,
            @Nullable Duration perTryTimeout,
            @Nullable BackOff backOff,
            @Nullable RateLimitedBackOff rateLimitedBackOff,
            List<String> retryOn) {}

    static Retries read(Fields fields) {
        fields.needAnyOf("tcp", "http", "grpc");
        return new Retries(
                fields.at("tcp").object(tcp -> tcp.at("maxConnectAttempt").requireInteger(IntRange.ABOVE_ZERO)),
                fields.at("http").object(Retries::http),
                fields.at("grpc").object(Retries::grpc));
    }

    private static Http http(Fields fields) {
        fields.needAnyOf(
                "numRetries",
                "perTryTimeout",
                "backOff",
                "retryOn",
                "rateLimitedBackOff",
                "retriableRequestHeaders",
                "retriableResponseHeaders",
                "hostSelection");
        return new Http(
                fields.at("numRetries").integer(IntRange.NOT_NEGATIVE),
                fields.at("perTryTimeout").duration(NOT_NEGATIVE),
                fields.at("backOff").object(BackOff::read),
                fields.at("rateLimitedBackOff").object(RateLimitedBackOff::read),
                fields.at("retryOn").list(RetryOn::http),
                fields.at("retriableResponseHeaders").objects(HeaderMatch::read),
                fields.at("retriableRequestHeaders").objects(HeaderMatch::read),
                HostSelection.readAll(fields.at("hostSelection")),
                fields.at("hostSelectionMaxAttempts").integer(IntRange.ABOVE_ZERO));
    }

    private static Grpc grpc(Fields fields) {
        fields.needAnyOf("numRetries", "perTryTimeout", "backOff", "retryOn", "rateLimitedBackOff");
        return new Grpc(
                fields.at("numRetries").integer(IntRange.NOT_NEGATIVE),
                fields.at("perTryTimeout").duration(NOT_NEGATIVE),
                fields.at("backOff").object(BackOff::read),
                fields.at("rateLimitedBackOff").object(RateLimitedBackOff::read),
                fields.at("retryOn").list(RetryOn::grpc));
    }
}
