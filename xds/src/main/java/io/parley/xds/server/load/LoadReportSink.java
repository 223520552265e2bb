package io.parley.xds.server.load;

import io.envoyproxy.envoy.config.endpoint.v3.ClusterStats;
import io.parley.xds.server.NodeIdentity;
import java.util.List;

/** Takes what clients report. Called on their threads: must not block. */
@FunctionalInterface
public interface LoadReportSink {
    void report(NodeIdentity node, List<ClusterStats> clusters);
}
