package io.parley.control.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.status.v3.ClientStatusDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.parley.control.api.ApiFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** xDS clients against a whole control plane, over TLS on its one port. */
@SuppressWarnings("NullAway.Init")
class XdsPortTest {
    private static final String CLUSTERS = "type.googleapis.com/envoy.config.cluster.v3.Cluster";
    private static final String WEB = "{\"type\":\"Dataplane\",\"mesh\":\"default\",\"name\":\"web-1\","
            + "\"networking\":{\"address\":\"127.0.0.1\",\"inbound\":[{\"port\":8080,"
            + "\"tags\":{\"kuma.io/service\":\"web\"}}]}}";

    @TempDir
    private Path folder;

    private final List<ManagedChannel> channels = new ArrayList<>();
    private ApiFixture controlPlane;

    @BeforeEach
    void start() throws Exception {
        controlPlane = new ApiFixture(folder);
        assertThat(controlPlane.put("/meshes/default/dataplanes/web-1", WEB).status())
                .isEqualTo(201);
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (ManagedChannel channel : channels) {
            channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        }
        controlPlane.close();
    }

    @Test
    void aClientNeedsADataPlanesToken() throws Exception {
        ManagedChannel channel = channel();
        for (String token : List.of("", "nonsense")) {
            assertThat(refusal(channel, token)).isEqualTo(Status.Code.UNAUTHENTICATED);
        }
        assertThat(refusal(channel, controlPlane.adminToken())).isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    private static Status.Code refusal(ManagedChannel channel, String token) {
        StreamEnd<DiscoveryResponse> end = new StreamEnd<>();
        with(AggregatedDiscoveryServiceGrpc.newStub(channel), token)
                .streamAggregatedResources(end)
                .onNext(DiscoveryRequest.getDefaultInstance());
        return end.status().getCode();
    }

    @Test
    void aClientIsSeenInTheInsightAndByAdministrators() throws Exception {
        ManagedChannel channel = channel();
        StreamObserver<DiscoveryRequest> requests = with(
                        AggregatedDiscoveryServiceGrpc.newStub(channel), controlPlane.dataplaneToken("web-1"))
                .streamAggregatedResources(new StreamEnd<>());
        requests.onNext(clusters());
        insight("web-1", tree -> tree.path("subscriptions").size() == 1);

        var status = with(ClientStatusDiscoveryServiceGrpc.newBlockingStub(channel), controlPlane.adminToken())
                .fetchClientStatus(ClientStatusRequest.getDefaultInstance());
        assertThat(status.getConfigList()).hasSize(1);
        requests.onCompleted();
    }

    /** Of two clients one goes on: what is looked at is the token, not the connection. */
    @Test
    void aStreamEndsWhenItsTokenIsRevoked() throws Exception {
        ManagedChannel channel = channel();
        String revoked = controlPlane.dataplaneToken("web-1");
        StreamEnd<DiscoveryResponse> cut = new StreamEnd<>();
        StreamEnd<DiscoveryResponse> other = new StreamEnd<>();
        with(AggregatedDiscoveryServiceGrpc.newStub(channel), revoked)
                .streamAggregatedResources(cut)
                .onNext(clusters());
        StreamObserver<DiscoveryRequest> kept = with(
                        AggregatedDiscoveryServiceGrpc.newStub(channel), controlPlane.dataplaneToken("web-1"))
                .streamAggregatedResources(other);
        kept.onNext(clusters());
        cut.first();
        other.first();

        controlPlane.post("/tokens/revocations", "{\"id\":\"" + revoked + "\"}");

        assertThat(cut.status().toString()).contains("UNAUTHENTICATED", "the token was withdrawn");
        assertThat(refusal(channel, revoked)).isEqualTo(Status.Code.UNAUTHENTICATED);
        kept.onCompleted();
        assertThat(other.status().getCode()).isEqualTo(Status.Code.OK);
    }

    @Test
    void s18_aRequestAboveFourMebibytesIsAnswered() throws Exception {
        List<String> names =
                IntStream.range(0, 3000).mapToObj(i -> "x".repeat(1500) + i).toList();
        DeltaDiscoveryRequest large = DeltaDiscoveryRequest.newBuilder()
                .setTypeUrl(CLUSTERS)
                .addAllResourceNamesSubscribe(names)
                .build();
        assertThat(large.getSerializedSize()).isGreaterThan(4 << 20);
        StreamEnd<DeltaDiscoveryResponse> answers = new StreamEnd<>();

        with(AggregatedDiscoveryServiceGrpc.newStub(channel()), controlPlane.dataplaneToken("web-1"))
                .deltaAggregatedResources(answers)
                .onNext(large);

        assertThat(answers.first().getRemovedResourcesCount()).isPositive();
    }

    /** Each is told to go with a reason and at a time of its own, and its connection goes too; nobody is just cut off. */
    @Test
    void s17_aControlPlaneThatStopsSendsItsClientsAwayOneByOne() throws Exception {
        assertThat(Machines.drainTime(3)).isEqualTo(Duration.ofMillis(200));
        assertThat(Machines.drainTime(5_000)).isEqualTo(Duration.ofSeconds(10));
        assertThat(Machines.drainTime(50_000)).isEqualTo(Duration.ofSeconds(20));
        String token = controlPlane.dataplaneToken("web-1");
        List<StreamEnd<DiscoveryResponse>> ends = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            StreamEnd<DiscoveryResponse> end = new StreamEnd<>();
            with(AggregatedDiscoveryServiceGrpc.newStub(channel()), token)
                    .streamAggregatedResources(end)
                    .onNext(clusters());
            ends.add(end);
        }
        ends.forEach(StreamEnd::first);

        controlPlane.close();

        assertThat(ends)
                .allSatisfy(end -> assertThat(end.status().toString())
                        .contains("UNAVAILABLE", "this server is going away: reconnect"));
        await().untilAsserted(() -> assertThat(channels)
                .allSatisfy(channel -> assertThat(channel.getState(false)).isNotEqualTo(ConnectivityState.READY)));
    }

    private static DiscoveryRequest clusters() {
        return DiscoveryRequest.newBuilder()
                .setNode(Node.newBuilder().setId("whatever"))
                .setTypeUrl(CLUSTERS)
                .build();
    }

    private static <S extends AbstractStub<S>> S with(S stub, String token) {
        Metadata headers = new Metadata();
        if (!token.isEmpty()) {
            headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        }
        return stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    private ManagedChannel channel() throws Exception {
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        "localhost",
                        controlPlane.machinePort(),
                        TlsChannelCredentials.newBuilder()
                                .trustManager(folder.resolve("ca.pem").toFile())
                                .build())
                .build();
        channels.add(channel);
        return channel;
    }

    private void insight(String name, Predicate<JsonNode> complete) {
        await().atMost(Duration.ofSeconds(30))
                .until(
                        () -> controlPlane
                                .get("/meshes/default/dataplane-insights/" + name)
                                .body(),
                        body -> body.isObject() && complete.test(body));
    }
}
