package io.parley.control.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.status.v3.ClientStatusDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.parley.control.api.ApiFixture;
import io.parley.identity.certificate.SpiffeId;
import io.parley.link.client.ClientService;
import io.parley.link.client.ClientService.Need;
import io.parley.link.config.ConfigClientV2;
import io.parley.link.config.ConfigSink;
import io.parley.link.identity.IdentityClient;
import io.parley.link.telemetry.NodeReport;
import io.parley.link.telemetry.TelemetryClient;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data planes and xDS clients against a whole control plane, over TLS on its one port. */
@SuppressWarnings("NullAway.Init")
class MachinesTest {
    private static final String WEB = "{\"type\":\"Dataplane\",\"mesh\":\"default\",\"name\":\"web-1\","
            + "\"networking\":{\"address\":\"127.0.0.1\",\"inbound\":[{\"port\":8080,"
            + "\"tags\":{\"kuma.io/service\":\"web\",\"ring\":\"canary\"}}]}}";

    @TempDir
    private Path folder;

    private final TestIdentity identity = new TestIdentity();
    private ApiFixture controlPlane;

    @BeforeEach
    void start() throws Exception {
        controlPlane = new ApiFixture(folder);
        assertThat(controlPlane.put("/meshes/default/dataplanes/web-1", WEB).status())
                .isEqualTo(201);
    }

    @AfterEach
    void stop() {
        controlPlane.close();
    }

    @Test
    void aDataPlaneNegotiatesAndItsInsightTellsWhatWasAgreed() throws Exception {
        try (TestNode node = node("web-1", controlPlane.dataplaneToken("web-1"))) {
            await().until(() -> !node.agreed.isEmpty());
            assertThat(node.agreed.getFirst().accepted())
                    .containsEntry("config", "v2")
                    .containsEntry("identity", "v1")
                    .containsEntry("telemetry", "v1");

            JsonNode insight = insight("web-1", tree -> tree.path("report").has("startedAt"));

            assertThat(insight.path("negotiation").path("node").path("type").asText())
                    .isEqualTo("PARLEY");
            assertThat(insight.path("negotiation").path("labels").path("ring").asText())
                    .isEqualTo("canary");
            assertThat(insight.path("negotiation").path("accepted")).hasSize(3);
            assertThat(insight.path("subscriptions").get(0).has("disconnectTime"))
                    .isFalse();
        }
        insight("web-1", tree -> tree.path("subscriptions").get(0).has("disconnectTime"));
    }

    @Test
    void aDataPlaneGetsTheOneNameThatItsResourceGivesIt() throws Exception {
        try (TestNode node = node("web-1", controlPlane.dataplaneToken("web-1"))) {
            await().until(() -> !identity.certificates.isEmpty());

            assertThat(node.disconnected).isEmpty();
            assertThat(SpiffeId.of(identity.certificates.getFirst())).hasToString("spiffe://default/web");
            assertThat(identity.trusted).hasSize(1);
            identity.certificates.getFirst().verify(identity.trusted.getFirst().getPublicKey());
        }
    }

    @Test
    void aCertificateOfTheMeshIsAsGoodAsAToken() throws Exception {
        try (TestNode node = node("web-1", controlPlane.dataplaneToken("web-1"))) {
            await().until(() -> !identity.certificates.isEmpty());
            assertThat(node.agreed).hasSize(1);
        }
        try (TestNode node = node("web-1", new TestNode.Credential.Certificate(identity))) {
            await().until(() -> !node.agreed.isEmpty());
        }
        try (TestNode node = node("web-2", new TestNode.Credential.Certificate(identity))) {
            await().until(() -> !node.disconnected.isEmpty());
            assertThat(node.disconnected.getFirst()).contains("403");
        }
    }

    @Test
    void aTokenOfAnotherDataPlaneIsRefused() throws Exception {
        try (TestNode node = node("web-2", controlPlane.dataplaneToken("web-1"))) {
            await().until(() -> !node.disconnected.isEmpty());
            assertThat(node.disconnected.getFirst()).contains("403").contains("web-1");
        }
        try (TestNode node = node("web-1", "no-token")) {
            await().until(() -> !node.disconnected.isEmpty());
            assertThat(node.disconnected.getFirst()).contains("401");
        }
    }

    @Test
    void switchingAVersionOffMovesTheNodesThatUseIt() throws Exception {
        try (TestNode node = node("web-1", controlPlane.dataplaneToken("web-1"))) {
            await().until(() -> node.agreed.size() == 1);
            insight("web-1", tree -> tree.has("negotiation"));
            String policy = "{\"type\":\"VersionPolicy\",\"name\":\"no-v1-telemetry\",\"spec\":{\"services\":[{"
                    + "\"name\":\"telemetry\",\"off\":[{\"version\":\"v1\",\"message\":\"telemetry rests\"}]}]}}";

            ApiFixture.Answer preview = controlPlane.post("/versions/preview", policy);
            assertThat(preview.body().path("items").get(0).path("effect").asText())
                    .as(preview.body().toString())
                    .isEqualTo("rejected");

            assertThat(controlPlane
                            .put("/versionpolicies/no-v1-telemetry", policy)
                            .status())
                    .isEqualTo(201);
            await().atMost(Duration.ofSeconds(30)).until(() -> node.agreed.size() == 2);
            assertThat(node.agreed.getLast().rejected()).containsKey("telemetry");
        }
    }

    @Test
    void anXdsClientNeedsADataPlanesToken() throws Exception {
        ManagedChannel channel = channel();
        try {
            assertThat(status(channel, "")).isEqualTo(Status.Code.UNAUTHENTICATED);
            assertThat(status(channel, "nonsense")).isEqualTo(Status.Code.UNAUTHENTICATED);
            assertThat(status(channel, controlPlane.adminToken())).isEqualTo(Status.Code.PERMISSION_DENIED);
        } finally {
            channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void anXdsClientIsSeenInTheInsightAndByAdministrators() throws Exception {
        ManagedChannel channel = channel();
        try {
            var stub = with(AggregatedDiscoveryServiceGrpc.newStub(channel), controlPlane.dataplaneToken("web-1"));
            StreamObserver<DiscoveryRequest> requests = stub.streamAggregatedResources(new Ignoring());
            requests.onNext(DiscoveryRequest.newBuilder()
                    .setNode(Node.newBuilder().setId("whatever"))
                    .setTypeUrl("type.googleapis.com/envoy.config.cluster.v3.Cluster")
                    .build());
            insight("web-1", tree -> tree.path("subscriptions").size() == 1);

            var status = with(ClientStatusDiscoveryServiceGrpc.newBlockingStub(channel), controlPlane.adminToken())
                    .fetchClientStatus(ClientStatusRequest.getDefaultInstance());
            assertThat(status.getConfigList()).hasSize(1);
            requests.onCompleted();
        } finally {
            channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    private static Status.Code status(ManagedChannel channel, String token) {
        var call = with(AggregatedDiscoveryServiceGrpc.newStub(channel), token)
                .getChannel()
                .newCall(AggregatedDiscoveryServiceGrpc.getStreamAggregatedResourcesMethod(), CallOptions.DEFAULT);
        var done = new CompletableFuture<Status.Code>();
        StreamObserver<DiscoveryRequest> requests = ClientCalls.asyncBidiStreamingCall(call, new StreamObserver<>() {
            @Override
            public void onNext(DiscoveryResponse value) {}

            @Override
            public void onError(Throwable t) {
                done.complete(Status.fromThrowable(t).getCode());
            }

            @Override
            public void onCompleted() {
                done.complete(Status.Code.OK);
            }
        });
        requests.onNext(DiscoveryRequest.getDefaultInstance());
        return done.orTimeout(30, TimeUnit.SECONDS).join();
    }

    private static <S extends AbstractStub<S>> S with(S stub, String token) {
        Metadata headers = new Metadata();
        if (!token.isEmpty()) {
            headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        }
        return stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    private ManagedChannel channel() throws Exception {
        return NettyChannelBuilder.forAddress(
                        "localhost",
                        controlPlane.machinePort(),
                        TlsChannelCredentials.newBuilder()
                                .trustManager(folder.resolve("ca.pem").toFile())
                                .build())
                .build();
    }

    private TestNode node(String name, String token) throws Exception {
        return node(name, new TestNode.Credential.Token(token));
    }

    private TestNode node(String name, TestNode.Credential credential) throws Exception {
        List<ClientService> services = List.of(
                ConfigClientV2.service(new NoConfig(), Need.OPTIONAL),
                IdentityClient.service(identity, Need.OPTIONAL, Clock.systemUTC(), new SplittableRandom(1)),
                TelemetryClient.service(MachinesTest::report, Duration.ofSeconds(1), Need.OPTIONAL));
        return new TestNode(controlPlane.machinePort(), folder.resolve("ca.pem"), name, credential, services).start();
    }

    private static NodeReport report() {
        return new NodeReport(Instant.EPOCH, Map.of(), Map.of(), "", List.of(), Map.of());
    }

    private JsonNode insight(String name, Predicate<JsonNode> complete) throws Exception {
        return await().atMost(Duration.ofSeconds(30))
                .until(
                        () -> controlPlane
                                .get("/meshes/default/dataplane-insights/" + name)
                                .body(),
                        body -> body.isObject() && complete.test(body));
    }

    /** Wants nothing. */
    private static final class NoConfig implements ConfigSink {
        @Override
        public Map<String, Map<String, String>> held() {
            return Map.of();
        }

        @Override
        public CompletableFuture<Void> apply(Change change) {
            throw new AssertionError("nothing was subscribed to");
        }
    }

    /** Takes what comes. */
    private static final class Ignoring implements StreamObserver<DiscoveryResponse> {
        @Override
        public void onNext(DiscoveryResponse response) {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
    }
}
