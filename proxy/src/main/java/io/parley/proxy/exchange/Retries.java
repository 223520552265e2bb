package io.parley.proxy.exchange;

import io.parley.proxy.http.FieldMatch;
import io.parley.proxy.http.RetryPolicy;
import io.parley.proxy.http.RetryPolicy.On;
import io.parley.proxy.pool.Answer;
import io.parley.proxy.pool.Answers.Failure;
import io.parley.proxy.route.RequestView;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which failures a request may be sent again after. */
final class Retries {
    private static final List<String> IDEMPOTENT = List.of("GET", "HEAD", "OPTIONS", "PUT", "DELETE");

    private Retries() {}

    /** RFC 9110 9.2.2: doing it twice is as good as doing it once. */
    static boolean isIdempotent(RequestView view) {
        for (String method : IDEMPOTENT) {
            if (view.isMethod(method)) {
                return true;
            }
        }
        return false;
    }

    /** The policy, if it is for this request. */
    static @Nullable RetryPolicy of(@Nullable RetryPolicy policy, RequestView view) {
        if (policy == null || policy.requests().isEmpty()) {
            return policy;
        }
        for (FieldMatch request : policy.requests()) {
            if (request.isFulfilledBy(view.named(request.name()))) {
                return policy;
            }
        }
        return null;
    }

    /** How long one try may take; null for no limit of its own. */
    static @Nullable Duration perTry(@Nullable RetryPolicy policy) {
        return policy == null ? null : policy.perTry();
    }

    /** Whether no answer at all is a failure that the policy is about. One that came too late is a 504 to the client. */
    static boolean counts(RetryPolicy policy, Failure failure, boolean idempotent) {
        boolean untaken = failure == Failure.UNTAKEN;
        return policy.on().contains(On.RESET)
                || (untaken && policy.on().contains(On.CONNECT_FAILURE))
                || ((idempotent || untaken) && policy.on().contains(On.HARMLESS_RESET))
                || policy.on().contains(On.SERVER_ERROR)
                || policy.on().contains(On.GATEWAY_ERROR)
                || (failure == Failure.TIMEOUT && policy.statuses().contains(504));
    }

    static boolean isFailure(RetryPolicy policy, Answer answer) {
        int status = answer.status();
        if (policy.statuses().contains(status)) {
            return true;
        }
        boolean gateway = status >= 502 && status <= 504;
        if ((policy.on().contains(On.SERVER_ERROR) && status >= 500)
                || (policy.on().contains(On.GATEWAY_ERROR) && gateway)
                || (policy.on().contains(On.CONFLICT) && status == 409)) {
            return true;
        }
        for (FieldMatch field : policy.fields()) {
            if (field.isFulfilledBy(answer.field(field.name()))) {
                return true;
            }
        }
        if (policy.grpcStatuses().isEmpty()) {
            return false;
        }
        String grpc = answer.field("grpc-status");
        return grpc != null && policy.grpcStatuses().stream().anyMatch(code -> grpc.equals(code.toString()));
    }
}
