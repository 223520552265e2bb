package io.parley.cli.gateway;

import static io.parley.cli.gateway.Request.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.parley.cli.FreePorts;
import io.parley.cli.TestControlPlane;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** GRPCRoute the whole way, between clients and servers of grpc-java: the conformance suite's tests of GATEWAY-GRPC, and our cases. */
@ExtendWith(SharedControlPlane.class)
class GrpcConformanceTest {
    private static final String NAMESPACE = "grpc";
    private static final int PORT = FreePorts.next();
    private static final int SECURE = FreePorts.next();
    private static final GrpcBackend ONE = new GrpcBackend("one");
    private static final GrpcBackend TWO = new GrpcBackend("two");

    @SuppressWarnings("NullAway.Init")
    private static GatewayBed bed;

    private final List<ManagedChannel> channels = new ArrayList<>();

    @BeforeAll
    static void start(TestControlPlane controlPlane) {
        bed = new GatewayBed(controlPlane, NAMESPACE);
        bed.endpoint("one", ONE.port(), "80=kubernetes.io/h2c", "81", "82=kubernetes.io/ws");
        bed.endpoint("two", TWO.port(), "80=kubernetes.io/h2c");
        bed.service("web", "80");
        bed.apply(Certificates.secret(NAMESPACE, "tls", new Certificates().issue("secure.example")));
        bed.gateway("edge", """
            - {name: http, port: %d, protocol: HTTP}
            - {name: https, port: %d, protocol: HTTPS, tls: {certificateRefs: [{name: tls}]}}
            """.formatted(PORT, SECURE));
    }

    @AfterAll
    static void stop() {
        bed.close();
        ONE.close();
        TWO.close();
    }

    @AfterEach
    void hangUp() {
        channels.forEach(ManagedChannel::shutdownNow);
    }

    /** A route under a host name of its own, and a channel to it. */
    private ManagedChannel route(String name, String rules) {
        bed.route("GRPCRoute", name, "{name: edge}", "hostnames: [" + name + ".example]\nrules:\n" + rules.indent(2));
        return channel(name);
    }

    private ManagedChannel channel(String name) {
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", PORT)
                .usePlaintext()
                .overrideAuthority(name + ".example")
                .build();
        channels.add(channel);
        return channel;
    }

    private static String call(Channel to, MethodDescriptor<String, String> method) {
        CallOptions soon = CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS);
        try {
            return ClientCalls.blockingUnaryCall(to, method, soon, "hi");
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode().name();
        }
    }

    private static void expect(Channel to, MethodDescriptor<String, String> method, String answer) {
        Patience.until(answer, () -> {
            for (int at = 0; at < 3; at++) {
                assertThat(call(to, method)).isEqualTo(answer);
            }
        });
    }

    @Test
    void grpcExactMethodMatching() {
        ManagedChannel to = route("exact", """
            - {matches: [{method: {service: test.Echo, method: Unary}}], backendRefs: [{name: one, port: 80}]}
            - {matches: [{method: {service: test.Other}}], backendRefs: [{name: two, port: 80}]}
            """);

        expect(to, GrpcBackend.UNARY, "one: hi");
        expect(to, GrpcBackend.OTHER, "two: hi");
        expect(to, GrpcBackend.FAILS, Status.Code.UNIMPLEMENTED.name());
        bed.expectConditions("grpcroutes", "exact", "Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs");
    }

    @Test
    void grpcRouteNamedRule() {
        ManagedChannel to = route("named", """
            - {name: echo, matches: [{method: {service: test.Echo}}], backendRefs: [{name: one, port: 80}]}
            - {name: other, matches: [{method: {service: test.Other}}], backendRefs: [{name: two, port: 80}]}
            """);

        expect(to, GrpcBackend.UNARY, "one: hi");
        expect(to, GrpcBackend.OTHER, "two: hi");
        bed.expectConditions("grpcroutes", "named", "Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs");
        assertThat(bed.object("grpcroutes", NAMESPACE, "named")
                        .at("/spec/rules/1/name")
                        .asText())
                .isEqualTo("other");
    }

    @Test
    void grpcRouteHeaderMatching() {
        ManagedChannel to = route("fields", """
            - {matches: [{headers: [{name: version, value: two}]}], backendRefs: [{name: two, port: 80}]}
            - {matches: [{headers: [{name: version, value: one}]}], backendRefs: [{name: one, port: 80}]}
            """);

        expect(with(to, "one"), GrpcBackend.UNARY, "one: hi");
        expect(with(to, "two"), GrpcBackend.UNARY, "two: hi");
        expect(to, GrpcBackend.UNARY, Status.Code.UNIMPLEMENTED.name());
    }

    private static Channel with(ManagedChannel to, String version) {
        Metadata fields = new Metadata();
        fields.put(Metadata.Key.of("version", Metadata.ASCII_STRING_MARSHALLER), version);
        return ClientInterceptors.intercept(to, MetadataUtils.newAttachHeadersInterceptor(fields));
    }

    @Test
    void grpcRouteListenerHostnameMatching() {
        expect(route("named", "- backendRefs: [{name: one, port: 80}]"), GrpcBackend.UNARY, "one: hi");

        expect(channel("unnamed"), GrpcBackend.UNARY, Status.Code.UNIMPLEMENTED.name());
    }

    @Test
    void grpcRouteWeight() {
        ManagedChannel to =
                route("weights", "- backendRefs: [{name: one, port: 80, weight: 7}, {name: two, port: 80, weight: 3}]");
        Patience.until("served", () -> assertThat(call(to, GrpcBackend.UNARY)).endsWith("hi"));

        Map<String, Integer> seen = new TreeMap<>();
        for (int at = 0; at < 20; at++) {
            seen.merge(call(to, GrpcBackend.UNARY), 1, Integer::sum);
        }
        assertThat(seen).isEqualTo(Map.of("one: hi", 14, "two: hi", 6));
    }

    @Test
    void case05_whereNothingIsDeclaredAGrpcRouteSpeaksHttp2() {
        expect(route("undeclared", "- backendRefs: [{name: one, port: 81}]"), GrpcBackend.UNARY, "one: hi");
    }

    @Test
    void case06_allKindsOfCallsPassWithTheirTrailers() throws Exception {
        ManagedChannel to = route("kinds", "- backendRefs: [{name: one, port: 80}]");
        expect(to, GrpcBackend.UNARY, "one: hi");

        List<String> many = new ArrayList<>();
        ClientCalls.blockingServerStreamingCall(to, GrpcBackend.SERVER, CallOptions.DEFAULT, "b")
                .forEachRemaining(many::add);
        assertThat(many).containsExactly("one: b", "one: b", "one: b");
        Answers joined = new Answers();
        joined.send(ClientCalls.asyncClientStreamingCall(to.newCall(GrpcBackend.CLIENT, CallOptions.DEFAULT), joined));
        assertThat(joined.all()).containsExactly("one: xy");
        Answers mirrored = new Answers();
        mirrored.send(ClientCalls.asyncBidiStreamingCall(to.newCall(GrpcBackend.BOTH, CallOptions.DEFAULT), mirrored));
        assertThat(mirrored.all()).containsExactly("x", "y");
        assertThatThrownBy(() -> ClientCalls.blockingUnaryCall(to, GrpcBackend.FAILS, CallOptions.DEFAULT, "no"))
                .hasMessage("FAILED_PRECONDITION: no");
    }

    @Test
    void case18_aWebSocketPortIsUnavailableToCalls() {
        expect(
                route("ws", "- backendRefs: [{name: one, port: 82}]"),
                GrpcBackend.UNARY,
                Status.Code.UNAVAILABLE.name());
        bed.expectConditions(
                "grpcroutes", "ws", "Accepted=False/UnsupportedProtocol", "ResolvedRefs=False/UnsupportedProtocol");
    }

    @Test
    void theShareOfAnInvalidBackendIsUnavailable() {
        ManagedChannel to = route("share", "- backendRefs: [{name: one, port: 80}, {name: gone, port: 80}]");
        Patience.until("served", () -> assertThat(call(to, GrpcBackend.UNARY)).isNotEqualTo("UNIMPLEMENTED"));

        List<String> seen = new ArrayList<>();
        for (int at = 0; at < 10; at++) {
            seen.add(call(to, GrpcBackend.UNARY));
        }
        assertThat(seen)
                .containsOnly("one: hi", "UNAVAILABLE")
                .filteredOn("one: hi"::equals)
                .hasSize(5);
    }

    @Test
    void anHttpRouteOnTheHostOfAnOlderGrpcRouteIsRefusedUntilThatIsGone() {
        ManagedChannel to = route("mixed", "- backendRefs: [{name: one, port: 80}]");
        expect(to, GrpcBackend.UNARY, "one: hi");
        bed.route(
                "HTTPRoute",
                "mixed",
                "{name: edge}",
                "hostnames: [mixed.example]\nrules: [{backendRefs: [{name: web, port: 80}]}]");

        bed.expectConditions(
                "httproutes", "mixed", "Accepted=False/HostnameConflict", "ResolvedRefs=True/ResolvedRefs");
        bed.http().expectStatus(get(PORT, "mixed.example", "/"), 404);
        expect(to, GrpcBackend.UNARY, "one: hi");

        bed.delete("grpcroute", "mixed");
        bed.expectConditions("httproutes", "mixed", "Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs");
        bed.http().expectBackend(get(PORT, "mixed.example", "/"), "web");
    }

    @Test
    void anHttpsListenerOffersHttp2ToCalls() throws SSLException {
        expect(route("secure", "- backendRefs: [{name: one, port: 80}]"), GrpcBackend.UNARY, "one: hi");
        ManagedChannel secure = NettyChannelBuilder.forAddress("127.0.0.1", SECURE)
                .sslContext(GrpcSslContexts.forClient()
                        .trustManager(InsecureTrustManagerFactory.INSTANCE)
                        .build())
                .overrideAuthority("secure.example")
                .build();
        channels.add(secure);

        expect(secure, GrpcBackend.UNARY, "one: hi");
    }

    @Test
    void case34_aGrpcRouteWithAPolicySpeaksHttp2InTls() {
        Certificates authority = new Certificates();
        try (GrpcBackend sealed = new GrpcBackend("sealed", authority.issue("sealed.example"))) {
            bed.endpoint("sealed", sealed.port(), "443");
            bed.apply(authority.configMap(NAMESPACE, "authority"));
            bed.apply("""
                apiVersion: gateway.networking.k8s.io/v1
                kind: BackendTLSPolicy
                metadata: {name: sealed, namespace: grpc}
                spec:
                  targetRefs: [{group: "", kind: Service, name: sealed}]
                  validation: {hostname: sealed.example, caCertificateRefs: [{group: "", kind: ConfigMap, name: authority}]}
                """);

            expect(route("sealed", "- backendRefs: [{name: sealed, port: 443}]"), GrpcBackend.UNARY, "sealed: hi");
        }
    }

    /** Sends x and y, and gathers what comes back. */
    private static final class Answers implements StreamObserver<String> {
        private final List<String> got = new ArrayList<>();
        private final CompletableFuture<List<String>> all = new CompletableFuture<>();

        void send(StreamObserver<String> to) {
            to.onNext("x");
            to.onNext("y");
            to.onCompleted();
        }

        List<String> all() throws Exception {
            return all.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }

        @Override
        public void onNext(String value) {
            got.add(value);
        }

        @Override
        public void onError(Throwable cause) {
            all.completeExceptionally(cause);
        }

        @Override
        public void onCompleted() {
            all.complete(got);
        }
    }
}
