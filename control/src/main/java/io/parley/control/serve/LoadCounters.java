package io.parley.control.serve;

import io.envoyproxy.envoy.config.endpoint.v3.ClusterStats;
import io.envoyproxy.envoy.config.endpoint.v3.UpstreamLocalityStats;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.parley.xds.server.NodeIdentity;
import io.parley.xds.server.load.LoadReportSink;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Adds up what clients report of the requests that they sent, by cluster, among the control plane's metrics. */
final class LoadCounters implements LoadReportSink {
    /** Names come from clients: beyond this many they are counted together. */
    private static final int MAX_CLUSTERS = 5_000;

    private static final String OTHERS = "others";

    private final MeterRegistry metrics;
    private final Map<String, Load> clusters = new ConcurrentHashMap<>();

    LoadCounters(MeterRegistry metrics) {
        this.metrics = metrics;
    }

    @Override
    public void report(NodeIdentity node, List<ClusterStats> reported) {
        for (ClusterStats cluster : reported) {
            Load load = load(cluster.getClusterName());
            for (UpstreamLocalityStats locality : cluster.getUpstreamLocalityStatsList()) {
                load.succeeded.increment((double) locality.getTotalSuccessfulRequests());
                load.failed.increment((double) locality.getTotalErrorRequests());
            }
            load.dropped.increment((double) cluster.getTotalDroppedRequests());
        }
    }

    private Load load(String cluster) {
        Load known = clusters.get(cluster);
        if (known != null) {
            return known;
        }
        return clusters.computeIfAbsent(clusters.size() < MAX_CLUSTERS ? cluster : OTHERS, this::register);
    }

    private Load register(String cluster) {
        return new Load(counter(cluster, "succeeded"), counter(cluster, "failed"), counter(cluster, "dropped"));
    }

    private Counter counter(String cluster, String outcome) {
        return Counter.builder("parley.xds.load.requests")
                .description("Requests that xDS clients report to have sent to a cluster")
                .tag("cluster", cluster)
                .tag("outcome", outcome)
                .register(metrics);
    }

    private record Load(Counter succeeded, Counter failed, Counter dropped) {}
}
