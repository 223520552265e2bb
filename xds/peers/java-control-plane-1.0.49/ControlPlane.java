import static java.nio.charset.StandardCharsets.UTF_8;

import io.envoyproxy.controlplane.cache.NodeGroup;
import io.envoyproxy.controlplane.cache.v3.SimpleCache;
import io.envoyproxy.controlplane.cache.v3.Snapshot;
import io.envoyproxy.controlplane.server.V3DiscoveryServer;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.Endpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * A control plane of java-control-plane (xDS v3). It prints its port, and for each line with a version and an address it publishes a
 * listener, a route, a cluster and an endpoint with that address. It ends with its input.
 */
final class ControlPlane {
    private ControlPlane() {}

    public static void main(String[] arguments) throws Exception {
        NodeGroup<String> everyone = node -> "all";
        SimpleCache<String> cache = new SimpleCache<>(everyone);
        V3DiscoveryServer discovery = new V3DiscoveryServer(cache);
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .addService(discovery.getAggregatedDiscoveryServiceImpl())
                .build()
                .start();
        System.out.println(server.getPort());
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ", 2);
            cache.setSnapshot("all", snapshot(words[0], words[1]));
        }
        server.shutdownNow();
        System.exit(0);
    }

    private static Snapshot snapshot(String version, String address) {
        return Snapshot.create(
                List.of(Cluster.newBuilder().setName("cluster").build()),
                List.of(ClusterLoadAssignment.newBuilder()
                        .setClusterName("cluster")
                        .addEndpoints(LocalityLbEndpoints.newBuilder().addLbEndpoints(endpoint(address)))
                        .build()),
                List.of(Listener.newBuilder().setName("listener").build()),
                List.of(RouteConfiguration.newBuilder().setName("route").build()),
                List.of(),
                version);
    }

    private static LbEndpoint endpoint(String address) {
        return LbEndpoint.newBuilder()
                .setEndpoint(Endpoint.newBuilder()
                        .setAddress(Address.newBuilder()
                                .setSocketAddress(SocketAddress.newBuilder()
                                        .setAddress(address)
                                        .setPortValue(80))))
                .build();
    }
}
