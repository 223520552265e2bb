package io.parley.bench.xds;

import com.google.protobuf.UInt32Value;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.AggregatedConfigSource;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.Endpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import java.util.List;
import java.util.stream.IntStream;

/** What both servers serve: clusters by number, each with three endpoints. */
final class Resources {
    static final int CLUSTERS = 1000;

    private Resources() {}

    static String name(int cluster) {
        return "service-%04d.shop.mesh.example".formatted(cluster);
    }

    static List<String> names() {
        return IntStream.range(0, CLUSTERS).mapToObj(Resources::name).toList();
    }

    static List<Cluster> clusters() {
        return names().stream().map(Resources::cluster).toList();
    }

    static List<ClusterLoadAssignment> endpoints() {
        return names().stream().map(name -> endpoints(name, 8080)).toList();
    }

    static ClusterLoadAssignment endpoints(String name, int port) {
        LocalityLbEndpoints.Builder locality =
                LocalityLbEndpoints.newBuilder().setLoadBalancingWeight(UInt32Value.of(1));
        for (int host = 1; host <= 3; host++) {
            locality.addLbEndpoints(LbEndpoint.newBuilder()
                    .setEndpoint(Endpoint.newBuilder()
                            .setAddress(Address.newBuilder()
                                    .setSocketAddress(SocketAddress.newBuilder()
                                            .setAddress("10.0.0." + host)
                                            .setPortValue(port)))));
        }
        return ClusterLoadAssignment.newBuilder()
                .setClusterName(name)
                .addEndpoints(locality)
                .build();
    }

    private static Cluster cluster(String name) {
        return Cluster.newBuilder()
                .setName(name)
                .setType(Cluster.DiscoveryType.EDS)
                .setEdsClusterConfig(Cluster.EdsClusterConfig.newBuilder()
                        .setEdsConfig(ConfigSource.newBuilder().setAds(AggregatedConfigSource.getDefaultInstance())))
                .build();
    }
}
