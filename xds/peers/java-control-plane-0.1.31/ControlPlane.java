import static java.nio.charset.StandardCharsets.UTF_8;

import io.envoyproxy.controlplane.cache.NodeGroup;
import io.envoyproxy.controlplane.cache.v2.SimpleCache;
import io.envoyproxy.controlplane.cache.v2.Snapshot;
import io.envoyproxy.controlplane.server.V2DiscoveryServer;
import io.envoyproxy.envoy.api.v2.Cluster;
import io.envoyproxy.envoy.api.v2.ClusterLoadAssignment;
import io.envoyproxy.envoy.api.v2.Listener;
import io.envoyproxy.envoy.api.v2.RouteConfiguration;
import io.envoyproxy.envoy.api.v2.core.Address;
import io.envoyproxy.envoy.api.v2.core.SocketAddress;
import io.envoyproxy.envoy.api.v2.endpoint.Endpoint;
import io.envoyproxy.envoy.api.v2.endpoint.LbEndpoint;
import io.envoyproxy.envoy.api.v2.endpoint.LocalityLbEndpoints;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * A control plane of java-control-plane (xDS v2). It prints its port, and for each line with a version and an address it publishes a
 * listener, a route, a cluster and an endpoint with that address. It ends with its input.
 */
@SuppressWarnings("deprecation") // v2 is
final class ControlPlane {
    private ControlPlane() {}

    public static void main(String[] arguments) throws Exception {
        NodeGroup<String> everyone = new NodeGroup<>() {
            @Override
            public String hash(io.envoyproxy.envoy.api.v2.core.Node node) {
                return "all";
            }

            @Override
            public String hash(io.envoyproxy.envoy.config.core.v3.Node node) {
                return "all";
            }
        };
        SimpleCache<String> cache = new SimpleCache<>(everyone);
        V2DiscoveryServer discovery = new V2DiscoveryServer(cache);
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
