package io.parley.proxy.http;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is done with a request that matches. */
public sealed interface RouteAction {
    /** Names of the clusters that a request and its copies go to. */
    default Stream<String> clusterNames() {
        return switch (this) {
            case Forward forward ->
                Stream.concat(
                        forward.clusters.stream().map(WeightedCluster::name),
                        forward.mirrors.stream().map(Mirror::cluster));
            case Redirect _, Respond _, Nothing _ -> Stream.empty();
        };
    }

    /**
     * It goes to a server.
     *
     * @param clusters one of these, in proportion to their weights; none answers 500
     * @param timeout for the whole answer, retries included; null for none
     * @param idle without progress; null for what the listener says
     * @param retry null for never
     * @param mirrors clusters that get a copy
     * @param affinity what keeps requests of one client together; the first that a request has counts
     */
    record Forward(
            List<WeightedCluster> clusters,
            Rewrite rewrite,
            @Nullable Duration timeout,
            @Nullable Duration idle,
            @Nullable RetryPolicy retry,
            List<Mirror> mirrors,
            List<Affinity> affinity)
            implements RouteAction {
        public Forward {
            clusters = List.copyOf(clusters);
            mirrors = List.copyOf(mirrors);
            affinity = List.copyOf(affinity);
        }

        /** Whether somebody gets a copy. */
        public boolean isMirrored() {
            return !mirrors.isEmpty();
        }

        /** To one cluster and nothing else. */
        public static Forward to(String cluster) {
            return to(cluster, null);
        }

        static Forward to(String cluster, @Nullable Duration timeout) {
            return new Forward(
                    List.of(new WeightedCluster(cluster, 1, FieldEdits.NONE, FieldEdits.NONE)),
                    Rewrite.NONE,
                    timeout,
                    null,
                    null,
                    List.of(),
                    List.of());
        }
    }

    /**
     * The client is sent elsewhere.
     *
     * @param scheme null for the request's own
     * @param host null for the request's own
     * @param port 0 for what follows from the scheme
     * @param query whether it is taken along
     */
    record Redirect(
            int status, @Nullable String scheme, @Nullable String host, int port, PathRewrite path, Query query)
            implements RouteAction {
        /** What becomes of the query. */
        public enum Query {
            KEPT,
            DROPPED
        }
    }

    /** The proxy answers by itself. */
    record Respond(int status, String body) implements RouteAction {}

    /** There is nothing for it: no route was found. */
    record Nothing() implements RouteAction {}
}
