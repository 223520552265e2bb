package io.parley.proxy.config;

import io.parley.proxy.http.FieldEdits;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How HTTP is spoken with a cluster.
 *
 * @param version which one
 * @param otherwise in which one an endpoint is spoken to that turns out not to speak {@code version}; null if it must
 * @param maxRequests under way at the same time; more are answered 503
 * @param outliers when an endpoint that answers badly is left alone; null for never
 * @param healthChecks what an endpoint must pass to get requests
 */
public record HttpUpstream(
        Version version,
        @Nullable Version otherwise,
        int maxRequests,
        @Nullable Outliers outliers,
        List<HealthCheck> healthChecks) {
    /** Which version of HTTP a server is spoken to in. */
    public enum Version {
        AS_RECEIVED,
        HTTP1,
        HTTP2,

        /** What the server and the proxy agree on by ALPN. */
        NEGOTIATED
    }

    /**
     * What makes an endpoint an outlier. It is then left out for as long as the cluster's breaker says.
     *
     * @param serverErrors answers 5xx in a row; 0 for no such rule
     * @param gatewayErrors answers 502, 503 or 504, or none at all, in a row; 0 for no such rule
     */
    public record Outliers(int serverErrors, int gatewayErrors) {}

    /**
     * A question that is asked again and again.
     *
     * @param healthy good answers in a row that make an endpoint healthy again
     * @param unhealthy bad answers in a row that make it unhealthy
     */
    public record HealthCheck(Duration interval, Duration timeout, int healthy, int unhealthy, Question question) {}

    /** What is asked. */
    public sealed interface Question {
        /** Whether it accepts connections. */
        record Connect() implements Question {}

        /**
         * Whether it answers as it should; each character is a byte.
         *
         * @param words what it is told first; may be empty
         * @param answers what must come, one after the other, with anything between
         */
        record Dialogue(String words, List<String> answers) implements Question {
            public Dialogue {
                answers = List.copyOf(answers);
            }
        }

        /**
         * A GET.
         *
         * @param host empty for the cluster's name
         * @param fields what else the request says
         * @param good the statuses that are
         */
        record Get(String host, String path, FieldEdits fields, List<Statuses> good) implements Question {
            public Get {
                good = List.copyOf(good);
            }
        }

        /** From one to before another. */
        record Statuses(int from, int to) {
            public boolean contain(int status) {
                return from <= status && status < to;
            }
        }

        /** gRPC's health service. */
        record Grpc(String service, String authority) implements Question {}
    }

    public static final HttpUpstream DEFAULT = new HttpUpstream(Version.AS_RECEIVED, 10_000, null, List.of());

    /** Every endpoint must speak that version. */
    public HttpUpstream(Version version, int maxRequests, @Nullable Outliers outliers, List<HealthCheck> healthChecks) {
        this(version, null, maxRequests, outliers, healthChecks);
    }

    /** The same in another version of HTTP, and maybe in a second one. */
    public HttpUpstream in(Version other, @Nullable Version second) {
        return new HttpUpstream(other, second, maxRequests, outliers, healthChecks);
    }

    /** Whether an endpoint may be spoken to in this version; one that may choose is spoken to in HTTP/1.1 for WebSockets. */
    public boolean allows(Version spoken) {
        return version == Version.AS_RECEIVED
                || spoken == version
                || spoken == otherwise
                || (version == Version.NEGOTIATED && spoken == Version.HTTP1);
    }

    public HttpUpstream {
        healthChecks = List.copyOf(healthChecks);
    }
}
