package io.parley.proxy.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A set of endpoints that can stand in for each other.
 *
 * @param name for routes to refer to, and for people
 * @param breaker when to stop opening connections, and when to leave an endpoint alone
 * @param http how HTTP is spoken with it
 * @param connect how long an endpoint may take to accept; null if what holds for the proxy as a whole does here too
 * @param unusable why nothing can be sent to it; null if it can
 */
public record ClusterConfig(
        String name,
        List<Endpoint> endpoints,
        Breaker breaker,
        HttpUpstream http,
        Balancing balancing,
        @Nullable Duration connect,
        @Nullable Unusable unusable) {
    /** HTTP is passed on as it came, to the less loaded of two. */
    public ClusterConfig(String name, List<Endpoint> endpoints, Breaker breaker) {
        this(name, endpoints, breaker, HttpUpstream.DEFAULT, new Balancing.LeastLoaded(), null, null);
    }

    /**
     * A cluster that stands for a backend that was configured wrongly, so that its share of requests fails and no other.
     *
     * @param status the answer
     * @param because what is wrong, for people
     */
    public record Unusable(int status, String because) {}

    /**
     * Limits towards a cluster.
     *
     * @param maxConnections open at the same time
     * @param maxPending being opened at the same time; of requests, those that wait for a connection
     * @param failures connects that must fail in a row before an endpoint is left out
     * @param ejection how long it is left out the first time; each further time as much longer
     * @param maxEjectedPercent share of the endpoints that may be left out at once
     */
    public record Breaker(int maxConnections, int maxPending, int failures, Duration ejection, int maxEjectedPercent) {
        public static final Breaker DEFAULT = new Breaker(10_000, 1_000, 5, Duration.ofSeconds(30), 50);
    }

    public ClusterConfig {
        endpoints = List.copyOf(endpoints);
    }
}
