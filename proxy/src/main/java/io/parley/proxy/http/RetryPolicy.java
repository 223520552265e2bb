package io.parley.proxy.http;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When a request is sent again.
 *
 * @param requests which requests: those that fulfil any of these; none for all
 * @param on what must have happened
 * @param statuses answers that count as failures, as well as those that {@code on} says
 * @param fields of an answer; one that fulfils any of these counts as a failure
 * @param grpcStatuses numbers in {@code grpc-status} that count as failures
 * @param retries how often at most, the first attempt not counted
 * @param perTry how long one attempt may take; null for as long as the whole
 * @param backoff the shortest wait before the first retry; each further one waits up to twice as long, by lot
 * @param maxBackoff the longest wait
 * @param budgetPercent how many retries there may be under way, in percent of the requests that are
 */
public record RetryPolicy(
        List<FieldMatch> requests,
        Set<On> on,
        Set<Integer> statuses,
        List<FieldMatch> fields,
        Set<Integer> grpcStatuses,
        int retries,
        @Nullable Duration perTry,
        Duration backoff,
        Duration maxBackoff,
        int budgetPercent) {
    /** A kind of failure. */
    public enum On {
        /** The server could not be reached, or refused the request before it looked at it. */
        CONNECT_FAILURE,

        /** The connection ended without an answer, or the attempt took too long. */
        RESET,

        /** The same, but only for methods that do no harm if they are done twice (RFC 9110 9.2.2). */
        HARMLESS_RESET,

        /** 502, 503, 504. */
        GATEWAY_ERROR,

        /** Any 5xx, and no answer at all. */
        SERVER_ERROR,

        /** 409. */
        CONFLICT
    }

    public static final Duration DEFAULT_BACKOFF = Duration.ofMillis(25);
    public static final int DEFAULT_BUDGET_PERCENT = 20;

    public RetryPolicy {
        requests = List.copyOf(requests);
        on = Set.copyOf(on);
        statuses = Set.copyOf(statuses);
        fields = List.copyOf(fields);
        grpcStatuses = Set.copyOf(grpcStatuses);
    }
}
