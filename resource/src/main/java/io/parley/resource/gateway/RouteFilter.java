package io.parley.resource.gateway;

import io.parley.resource.policy.HeaderModifier;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A change to requests or responses on their way. */
public sealed interface RouteFilter {
    /** Headers on the way there. */
    record RequestHeaders(HeaderModifier modifier) implements RouteFilter {}

    /** Headers on the way back. */
    record ResponseHeaders(HeaderModifier modifier) implements RouteFilter {}

    /** Sends the client elsewhere; null keeps what it asked for. */
    record Redirect(
            @Nullable String scheme,
            @Nullable String hostname,
            @Nullable PathChange path,
            @Nullable Integer port,
            int statusCode)
            implements RouteFilter {}

    /** Asks the backend for something else; null keeps what the client asked for. */
    record UrlRewrite(@Nullable String hostname, @Nullable PathChange path) implements RouteFilter {}

    /**
     * Sends a share of the requests to somebody else as well.
     *
     * @param numerator of {@code denominator} requests
     */
    record Mirror(BackendRef backend, int numerator, int denominator) implements RouteFilter {}

    /** Who may read answers in a browser. */
    record Cors(
            List<String> origins,
            boolean credentials,
            List<String> methods,
            List<String> headers,
            List<String> exposed,
            Duration maxAge)
            implements RouteFilter {
        public Cors {
            origins = List.copyOf(origins);
            methods = List.copyOf(methods);
            headers = List.copyOf(headers);
            exposed = List.copyOf(exposed);
        }
    }

    /** One that the API has and this gateway has not. The rule that has it cannot be served: it might guard something. */
    record Foreign(String type) implements RouteFilter {}

    /**
     * One that a store holds, and that would not be let in today. As with a foreign one, its rule cannot be served.
     *
     * @param why the path of what is wrong, and what was expected
     */
    record Unfit(String why) implements RouteFilter {}

    /** Another path. */
    record PathChange(Part part, String value) {
        /** What is replaced. */
        public enum Part {
            REPLACE_FULL_PATH,
            REPLACE_PREFIX_MATCH
        }
    }
}
