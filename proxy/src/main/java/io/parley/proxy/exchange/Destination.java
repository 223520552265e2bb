package io.parley.proxy.exchange;

import io.parley.proxy.balance.Cluster;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http.WeightedCluster;
import io.parley.proxy.route.RequestView;
import org.jspecify.annotations.Nullable;

/** Where a request goes. */
sealed interface Destination {
    /**
     * To a cluster.
     *
     * @param affine what keeps it together with others; null if nothing does
     */
    record Found(
            WeightedCluster share,
            Cluster cluster,
            @Nullable Affine affine) implements Destination {}

    /** Nowhere: the proxy answers. */
    record Nowhere(int status, Cause cause, String detail) implements Destination {}

    /** Decides. A session goes before the weights: it stays with its endpoint. */
    static Destination of(
            LiveRoute route, RouteAction.Forward forward, RequestView view, Connection connection, HttpLoop loop) {
        Affine affine = forward.affinity().isEmpty() ? null : Affine.of(forward.affinity(), view, loop);
        WeightedCluster kept = affine == null ? null : affine.share(forward.clusters(), loop.clusters());
        WeightedCluster share = kept == null ? route.next() : kept;
        if (share == null) {
            return new Nowhere(500, Hindrance.NO_BACKEND, "the route has no cluster with a weight");
        }
        Cluster cluster = share.name().isEmpty()
                ? connection.cluster()
                : loop.clusters().find(share.name()).orElse(null);
        if (cluster == null) {
            return new Nowhere(503, Hindrance.NO_CLUSTER, "no cluster " + share.name());
        }
        ClusterConfig.Unusable unusable = cluster.unusable();
        if (unusable != null) {
            loop.telemetry()
                    .complaints()
                    .note(cluster.name(), Hindrance.INVALID_BACKEND.word(), unusable.because(), loop.now());
            return new Nowhere(unusable.status(), Hindrance.INVALID_BACKEND, unusable.because());
        }
        return new Found(share, cluster, affine);
    }
}
