package io.parley.xds.client.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.Locality;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.Endpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.parley.xds.client.Variant;
import io.parley.xds.server.SnapshotSource;
import io.parley.xds.server.XdsServer;
import io.parley.xds.server.load.LoadReporting;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Our client and our server. */
class OwnServerTest {
    private final LiveSnapshot live = new LiveSnapshot(snapshot("10.0.0.1"));
    private final Map<String, Long> issued = new ConcurrentHashMap<>();
    private Server server = start(0);

    @AfterEach
    void stop() {
        server.shutdownNow();
        Awaitility.await().until(server::isTerminated);
    }

    @ParameterizedTest
    @CsvSource({"SOTW, ''", "SOTW, xds_v3", "DELTA, ''", "DELTA, xds_v3"})
    void followsChangesThroughARestartAndReportsLoad(Variant variant, String feature) {
        var description =
                feature.isEmpty() ? LiveClient.server(server.getPort()) : LiveClient.server(server.getPort(), feature);
        try (LiveClient client = new LiveClient(description, variant)) {
            client.watchEverything();
            client.awaitAddress("10.0.0.1");
            live.publish(snapshot("10.0.0.2"));
            client.awaitAddress("10.0.0.2");

            int port = server.getPort();
            stop();
            server = start(port);
            client.troubles.clear();
            live.publish(snapshot("10.0.0.3"));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> "10.0.0.3".equals(client.seen.get("address")));

            client.client
                    .load(description, "cluster", "")
                    .locality(Locality.getDefaultInstance())
                    .started();
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> issued.containsKey("cluster"));
            assertThat(issued).containsEntry("cluster", 1L);
        }
    }

    private Server start(int port) {
        XdsServer xds =
                XdsServer.builder(_ -> new SnapshotSource.Admission.Serve(live)).build();
        NettyServerBuilder builder =
                NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        xds.register(builder);
        LoadReporting loads = new LoadReporting(
                (_, clusters) -> clusters.forEach(cluster -> cluster.getUpstreamLocalityStatsList()
                        .forEach(zone ->
                                issued.merge(cluster.getClusterName(), zone.getTotalIssuedRequests(), Long::sum))),
                Duration.ofMillis(200),
                100);
        loads.services().forEach(builder::addService);
        try {
            return builder.build().start();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Snapshot snapshot(String address) {
        LbEndpoint endpoint = LbEndpoint.newBuilder()
                .setEndpoint(Endpoint.newBuilder()
                        .setAddress(Address.newBuilder()
                                .setSocketAddress(SocketAddress.newBuilder()
                                        .setAddress(address)
                                        .setPortValue(80))))
                .build();
        return Snapshot.EMPTY
                .with(
                        ResourceType.LISTENER,
                        set(
                                "listener",
                                Listener.newBuilder().setName("listener").build()))
                .with(
                        ResourceType.ROUTE,
                        set(
                                "route",
                                RouteConfiguration.newBuilder().setName("route").build()))
                .with(
                        ResourceType.CLUSTER,
                        set("cluster", Cluster.newBuilder().setName("cluster").build()))
                .with(
                        ResourceType.ENDPOINT,
                        set(
                                "cluster",
                                ClusterLoadAssignment.newBuilder()
                                        .setClusterName("cluster")
                                        .addEndpoints(
                                                LocalityLbEndpoints.newBuilder().addLbEndpoints(endpoint))
                                        .build()));
    }

    private static ResourceSet set(String name, Message message) {
        return ResourceSet.of(EncodedResource.of(name, message));
    }
}
