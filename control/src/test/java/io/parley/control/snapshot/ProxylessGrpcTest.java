package io.parley.control.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.NameResolverRegistry;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.xds.XdsNameResolverProvider;
import io.parley.control.draft.Flavor;
import io.parley.control.testing.Worlds;
import io.parley.store.Expected;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import io.parley.xds.server.SnapshotSource;
import io.parley.xds.server.XdsServer;
import io.parley.xds.type.ResourceType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A program that speaks xDS itself, grpc-java's own client, calls a service of the mesh by its name. */
class ProxylessGrpcTest {
    private static final MethodDescriptor<String, String> ECHO = MethodDescriptor.<String, String>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("test.Echo/Say")
            .setRequestMarshaller(new Text())
            .setResponseMarshaller(new Text())
            .build();

    private static final String POLICIES = """
        ---
        type: MeshHTTPRoute
        mesh: default
        name: to-two
        spec:
          to:
            - targetRef: {kind: MeshService, name: backend}
              rules:
                - matches: [{path: {type: PathPrefix, value: /test.Echo}}]
                  default: {backendRefs: [{kind: MeshServiceSubset, name: backend, tags: {version: v2}}]}
        ---
        type: MeshRetry
        mesh: default
        name: retry
        spec: {to: [{targetRef: {kind: Mesh}, default: {grpc: {numRetries: 2, retryOn: [Unavailable]}}}]}
        ---
        type: MeshCircuitBreaker
        mesh: default
        name: breaker
        spec:
          to:
            - targetRef: {kind: Mesh}
              default: {outlierDetection: {detectors: {totalFailures: {consecutive: 5}}}}
        """;

    private static final class Text implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String value) {
            return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static Server listen(List<ServerServiceDefinition> services) throws IOException {
        NettyServerBuilder builder =
                NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        services.forEach(builder::addService);
        return builder.build().start();
    }

    private static Server echo(String name) throws IOException {
        return listen(List.of(ServerServiceDefinition.builder("test.Echo")
                .addMethod(ECHO, ServerCalls.asyncUnaryCall((request, out) -> {
                    out.onNext(name + " heard " + request);
                    out.onCompleted();
                }))
                .build()));
    }

    private static String dataplane(String name, String service, int port, String version) {
        return """
            ---
            type: Dataplane
            mesh: default
            name: %s
            networking:
              address: 127.0.0.1
              inbound: [{port: %d, tags: {kuma.io/service: %s, kuma.io/protocol: grpc, version: %s}}]
            """.formatted(name, port, service, version);
    }

    @Test
    void callsAServiceOfTheMeshAndFollowsItsRoutes() throws Exception {
        Server one = echo("one");
        Server two = echo("two");
        try (MemoryStore store = new MemoryStore(Retention.DEFAULT, Clock.systemUTC())) {
            put(
                    store,
                    dataplane("caller", "caller", 1, "v1")
                            + dataplane("one", "backend", one.getPort(), "v1")
                            + dataplane("two", "backend", two.getPort(), "v2")
                            + POLICIES);
            try (ProxySnapshots snapshots = ProxySnapshots.open(store, null)) {
                XdsServer xds = XdsServer.builder(node -> new SnapshotSource.Admission.Serve(
                                snapshots.of(new ProxyKey("default", node.id(), Flavor.GRPC))))
                        .build();
                Server control = listen(xds.services());
                try {
                    assertThat(call(control.getPort())).isEqualTo("two heard hello");
                } finally {
                    control.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
                }
            }
        } finally {
            one.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
            two.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    /** A server that binds all addresses, as grpc-java's always does, asks for a listener of that name and of that very address. */
    @Test
    void aServerFindsItsListenerWhicheverAddressItBinds() throws Exception {
        try (MemoryStore store = new MemoryStore(Retention.DEFAULT, Clock.systemUTC())) {
            put(store, dataplane("web", "web", 8080, "v1"));
            try (ProxySnapshots snapshots = ProxySnapshots.open(store, null)) {
                var live = snapshots.of(new ProxyKey("default", "web", Flavor.GRPC));
                await().until(() -> live.current().isPresent());
                var listeners = live.current().orElseThrow().resources(ResourceType.LISTENER);
                for (String host : List.of("0.0.0.0", "[::]", "127.0.0.1")) {
                    String name = "grpc/server?xds.resource.listening_address=" + host + ":8080";
                    Listener listener =
                            listeners.find(name).orElseThrow().toAny().unpack(Listener.class);
                    assertThat(listener.getAddress().getSocketAddress().getAddress())
                            .isEqualTo(host.replaceAll("[\\[\\]]", ""));
                }
            }
        }
    }

    /** Of a route gRPC looks at the duration of streams (gRFC A31), not at the timeout that proxies look at. */
    @Test
    void aRequestTimeoutIsADeadlineOfItsCalls() throws Exception {
        try (MemoryStore store = new MemoryStore(Retention.DEFAULT, Clock.systemUTC())) {
            put(
                    store,
                    dataplane("caller", "caller", 1, "v1")
                            + dataplane("one", "quick", 2, "v1")
                            + dataplane("two", "endless", 3, "v1")
                            + """
                            ---
                            type: MeshTimeout
                            mesh: default
                            name: quick
                            spec: {to: [{targetRef: {kind: MeshService, name: quick}, default: {http: {requestTimeout: 700ms}}}]}
                            """);
            try (ProxySnapshots snapshots = ProxySnapshots.open(store, null)) {
                var live = snapshots.of(new ProxyKey("default", "caller", Flavor.GRPC));
                await().until(() -> live.current().isPresent());
                var routes = live.current().orElseThrow().resources(ResourceType.ROUTE);
                assertThat(deadline(routes.find("quick").orElseThrow().toAny().unpack(RouteConfiguration.class)))
                        .contains(Durations.fromMillis(700));
                assertThat(deadline(routes.find("endless").orElseThrow().toAny().unpack(RouteConfiguration.class)))
                        .isEmpty();
            }
        }
    }

    private static Optional<Duration> deadline(RouteConfiguration routes) {
        var action = routes.getVirtualHosts(0).getRoutes(0).getRoute();
        return action.hasMaxStreamDuration()
                ? Optional.of(action.getMaxStreamDuration().getMaxStreamDuration())
                : Optional.empty();
    }

    private static String call(int controlPort) throws InterruptedException {
        var provider = XdsNameResolverProvider.createForTest(
                "proxyless",
                Map.of(
                        "xds_servers",
                        List.of(Map.of(
                                "server_uri", "127.0.0.1:" + controlPort,
                                "channel_creds", List.of(Map.of("type", "insecure")),
                                "server_features", List.of("xds_v3"))),
                        "node",
                        Map.of("id", "caller")));
        NameResolverRegistry.getDefaultRegistry().register(provider);
        ManagedChannel channel = NettyChannelBuilder.forTarget("proxyless:///backend")
                .usePlaintext()
                .build();
        try {
            return ClientCalls.blockingUnaryCall(
                    channel, ECHO, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS), "hello");
        } finally {
            channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
            NameResolverRegistry.getDefaultRegistry().deregister(provider);
        }
    }

    private static void put(MemoryStore store, String yaml) {
        Worlds.resources(yaml).forEach(resource -> store.put(resource, Expected.anything()));
    }
}
