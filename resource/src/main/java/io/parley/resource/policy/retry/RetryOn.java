package io.parley.resource.policy.retry;

import io.parley.resource.read.Field;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The conditions under which a request is tried again. */
final class RetryOn {
    private static final List<String> HTTP = List.of(
            "5xx",
            "GatewayError",
            "Reset",
            "Retriable4xx",
            "ConnectFailure",
            "EnvoyRatelimited",
            "RefusedStream",
            "Http3PostConnectFailure",
            "HttpMethodConnect",
            "HttpMethodDelete",
            "HttpMethodGet",
            "HttpMethodHead",
            "HttpMethodOptions",
            "HttpMethodPatch",
            "HttpMethodPost",
            "HttpMethodPut",
            "HttpMethodTrace");

    private static final List<String> GRPC =
            List.of("Canceled", "DeadlineExceeded", "Internal", "ResourceExhausted", "Unavailable");

    private static final Set<String> STATUS_CODES = statusCodes();

    private RetryOn() {}

    static String http(Field field) {
        return field.requireText(
                "one of " + String.join(", ", HTTP) + ", or a status code in quotes such as \"503\"",
                text -> HTTP.contains(text) || STATUS_CODES.contains(text));
    }

    static String grpc(Field field) {
        return field.requireText("one of " + String.join(", ", GRPC), GRPC::contains);
    }

    /** The codes of IANA's HTTP status code registry. */
    private static Set<String> statusCodes() {
        Set<String> codes = new TreeSet<>();
        int[][] ranges = {
            {100, 103},
            {200, 208},
            {226, 226},
            {300, 305},
            {307, 308},
            {400, 418},
            {421, 426},
            {428, 429},
            {431, 431},
            {451, 451},
            {500, 508},
            {510, 511}
        };
        for (int[] range : ranges) {
            IntStream.rangeClosed(range[0], range[1]).forEach(code -> codes.add(Integer.toString(code)));
        }
        return codes;
    }
}
