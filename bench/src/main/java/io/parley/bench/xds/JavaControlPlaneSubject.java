package io.parley.bench.xds;

import io.envoyproxy.controlplane.cache.NodeGroup;
import io.envoyproxy.controlplane.cache.v3.SimpleCache;
import io.envoyproxy.controlplane.cache.v3.Snapshot;
import io.envoyproxy.controlplane.server.V3DiscoveryServer;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.grpc.netty.NettyServerBuilder;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.ArrayList;
import java.util.List;

/** java-control-plane with one snapshot for all nodes, which suits it best. */
final class JavaControlPlaneSubject implements Subject {
    private static final String GROUP = "all";

    private final SimpleCache<String> cache = new SimpleCache<>(new NodeGroup<String>() {
        @Override
        public String hash(Node node) {
            return GROUP;
        }
    });
    private final List<Cluster> clusters = Resources.clusters();
    private final List<ClusterLoadAssignment> endpoints = new ArrayList<>(Resources.endpoints());
    private int version;

    JavaControlPlaneSubject() {
        publish();
    }

    @Override
    public void register(NettyServerBuilder server, EventExecutorGroup loops) {
        server.addService(new V3DiscoveryServer(cache).getAggregatedDiscoveryServiceImpl());
        server.maxInboundMessageSize(32 * 1024 * 1024);
    }

    @Override
    public void change(int cluster, int port) {
        endpoints.set(cluster, Resources.endpoints(Resources.name(cluster), port));
        publish();
    }

    private void publish() {
        version++;
        cache.setSnapshot(
                GROUP,
                Snapshot.create(
                        clusters,
                        "1",
                        endpoints,
                        Integer.toString(version),
                        List.of(),
                        "1",
                        List.of(),
                        "1",
                        List.of(),
                        "1"));
    }
}
