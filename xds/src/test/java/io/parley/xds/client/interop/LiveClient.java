package io.parley.xds.client.interop;

import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.parley.xds.bootstrap.Bootstrap;
import io.parley.xds.bootstrap.ChannelCredentials;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.ClientSettings;
import io.parley.xds.client.Variant;
import io.parley.xds.client.WatchEvent;
import io.parley.xds.client.WatchEvent.Changed;
import io.parley.xds.client.XdsClient;
import io.parley.xds.client.grpc.GrpcTransports;
import io.parley.xds.client.loop.ThreadLoop;
import io.parley.xds.client.resource.ProtoParser;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.random.RandomGenerator;
import org.awaitility.Awaitility;

/** Our client with real time and real sockets, watching what the other side is known to publish. */
final class LiveClient implements AutoCloseable {
    final Map<String, String> seen = new ConcurrentHashMap<>();
    final Queue<String> troubles = new ConcurrentLinkedQueue<>();
    final XdsClient client;
    private final ThreadLoop loop = new ThreadLoop("xds-client-test");

    LiveClient(XdsServer server, Variant variant) {
        Bootstrap bootstrap = Bootstrap.of(
                List.of(server), Node.newBuilder().setId("parley-test").build());
        ClientSettings settings = ClientSettings.of(bootstrap, Map.of(), new ClientSettings.Agent("parley", "test"))
                .with(variant);
        client = new XdsClient(settings, new GrpcTransports("parley-test"), loop, RandomGenerator.getDefault());
    }

    static XdsServer server(int port, String... features) {
        return new XdsServer("127.0.0.1:" + port, new ChannelCredentials.Insecure(), List.of(), Set.of(features));
    }

    void watchEverything() {
        client.watch(ProtoParser.LISTENERS, "listener", this::note);
        client.watch(ProtoParser.ROUTES, "route", this::note);
        client.watch(ProtoParser.CLUSTERS, "cluster", this::note);
        client.watch(ProtoParser.ENDPOINTS, "cluster", event -> {
            if (event instanceof Changed<ClusterLoadAssignment>(String _, var value, String _)) {
                seen.put("address", address(value));
            } else {
                troubles.add(event.toString());
            }
        });
    }

    private <T> void note(WatchEvent<T> event) {
        if (event instanceof Changed<T>(String name, T _, String version)) {
            seen.put(name, version);
        } else {
            troubles.add(event.toString());
        }
    }

    private static String address(ClusterLoadAssignment assignment) {
        return assignment
                .getEndpoints(0)
                .getLbEndpoints(0)
                .getEndpoint()
                .getAddress()
                .getSocketAddress()
                .getAddress();
    }

    void awaitAddress(String address) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .failFast("trouble: " + troubles, () -> !troubles.isEmpty())
                .until(() -> address.equals(seen.get("address")) && seen.size() == 4);
    }

    @Override
    public void close() {
        client.close();
        loop.close();
    }
}
