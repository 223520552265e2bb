package io.parley.xds.server;

import static io.parley.xds.server.Requests.ack;
import static io.parley.xds.server.Requests.delta;
import static io.parley.xds.server.Requests.request;
import static io.parley.xds.server.snapshot.Samples.cluster;
import static io.parley.xds.server.snapshot.Samples.endpoints;
import static io.parley.xds.server.snapshot.Samples.listener;
import static io.parley.xds.type.ResourceType.CLUSTER;
import static io.parley.xds.type.ResourceType.ENDPOINT;
import static io.parley.xds.type.ResourceType.LISTENER;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.endpoint.v3.EndpointDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.status.v3.ClientStatusDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.envoyproxy.envoy.service.status.v3.ConfigStatus;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.server.status.ClientStatusService;
import io.parley.xds.type.ApiVersion;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The server over gRPC, in process and on one thread, so that what is not there yet never comes. */
class XdsServerTest {
    private final LiveSnapshot live = new LiveSnapshot(Snapshot.EMPTY
            .with(CLUSTER, ResourceSet.of(cluster("a")))
            .with(ENDPOINT, ResourceSet.of(endpoints("a", 1)))
            .with(LISTENER, ResourceSet.of(listener("l", "r"))));
    private final FakeTicker ticker = new FakeTicker();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<String> events = new ArrayList<>();
    private final List<NodeIdentity> nodes = new ArrayList<>();
    private @Nullable XdsServer xds;
    private @Nullable Server server;
    private @Nullable ManagedChannel channel;

    @AfterEach
    void nothingIsLeftOpen() throws InterruptedException {
        if (channel != null) {
            channel.shutdownNow();
        }
        if (server != null) {
            server.shutdownNow().awaitTermination();
        }
        assertThat(live.watcherCount()).isZero();
        if (xds != null) {
            assertThat(xds.streamCount()).isZero();
        }
    }

    @Test
    void s1_servesOldAndNewClientsFromOneStore() throws Exception {
        start(ServerLimits.DEFAULT);
        Inbox<DiscoveryRequest, DiscoveryResponse> fresh = new Inbox<>();
        v3().streamAggregatedResources(fresh).onNext(request(LISTENER, "l").build());
        Inbox<io.envoyproxy.envoy.api.v2.DiscoveryRequest, io.envoyproxy.envoy.api.v2.DiscoveryResponse> old =
                new Inbox<>();
        io.envoyproxy.envoy.service.discovery.v2.AggregatedDiscoveryServiceGrpc.newStub(channel())
                .streamAggregatedResources(old)
                .onNext(io.envoyproxy.envoy.api.v2.DiscoveryRequest.newBuilder()
                        .setTypeUrl(LISTENER.url(ApiVersion.V2))
                        .addResourceNames("l")
                        .build());
        assertThat(fresh.next().getResources(0).getTypeUrl()).isEqualTo(LISTENER.url(ApiVersion.V3));
        assertThat(old.next()
                        .getResources(0)
                        .unpack(io.envoyproxy.envoy.api.v2.Listener.class)
                        .getName())
                .isEqualTo("l");
    }

    @Test
    void s2_remembersTheNodeOfTheFirstMessage() throws Exception {
        start(ServerLimits.DEFAULT);
        Inbox<DiscoveryRequest, DiscoveryResponse> inbox = new Inbox<>();
        StreamObserver<DiscoveryRequest> requests = v3().streamAggregatedResources(inbox);
        requests.onNext(request(LISTENER, "l")
                .setNode(Node.newBuilder().setId("n1").setUserAgentName("gRPC Node"))
                .build());
        inbox.next();
        requests.onNext(request(ENDPOINT, "a").build());
        assertThat(inbox.next().getResourcesCount()).isEqualTo(1);
        requests.onNext(request(CLUSTER, "a")
                .setNode(Node.newBuilder().setId("someone else"))
                .build());
        assertThat(inbox.next().getResourcesCount()).isEqualTo(1);
        assertThat(nodes)
                .singleElement()
                .satisfies(node -> assertThat(node.id()).isEqualTo("n1"));
    }

    @Test
    void s3_readsTheBuildVersionOfAV2Node() throws Exception {
        start(ServerLimits.DEFAULT);
        Node node = Node.newBuilder()
                .setId("n")
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                5,
                                UnknownFieldSet.Field.newBuilder()
                                        .addLengthDelimited(ByteString.copyFromUtf8("gRPC Java 1.33.1"))
                                        .build())
                        .build())
                .build();
        Inbox<DiscoveryRequest, DiscoveryResponse> inbox = new Inbox<>();
        v3().streamAggregatedResources(inbox)
                .onNext(request(CLUSTER).setNode(node).build());
        inbox.assertQuiet();
        assertThat(nodes.getFirst().userAgent().name()).startsWith("gRPC Java");
    }

    @Test
    void s9_aRejectionIsCountedToldAndShown() throws Exception {
        start(ServerLimits.DEFAULT);
        Inbox<DiscoveryRequest, DiscoveryResponse> inbox = new Inbox<>();
        StreamObserver<DiscoveryRequest> requests = v3().streamAggregatedResources(inbox);
        requests.onNext(
                request(ENDPOINT, "a").setNode(Node.newBuilder().setId("n1")).build());
        DiscoveryResponse bad = inbox.next();
        requests.onNext(request(ENDPOINT, "a")
                .setResponseNonce(bad.getNonce())
                .setErrorDetail(com.google.rpc.Status.newBuilder().setCode(3).setMessage("no thanks"))
                .build());
        inbox.assertQuiet();
        assertThat(events).contains("rejected n1 no thanks");
        assertThat(meters.get("parley.xds.rejects")
                        .tag("type", "endpoint")
                        .counter()
                        .count())
                .isEqualTo(1);
        var status = ClientStatusDiscoveryServiceGrpc.newBlockingStub(channel())
                .fetchClientStatus(ClientStatusRequest.getDefaultInstance());
        var shown = status.getConfig(0).getGenericXdsConfigs(0);
        assertThat(status.getConfig(0).getNode().getId()).isEqualTo("n1");
        assertThat(shown.getConfigStatus()).isEqualTo(ConfigStatus.ERROR);
        assertThat(shown.getErrorState().getDetails()).isEqualTo("no thanks");

        live.publish(
                new Snapshot(live.current().orElseThrow().byType()).with(ENDPOINT, ResourceSet.of(endpoints("a", 2))));
        inbox.assertQuiet();
        ticker.advance(Duration.ofSeconds(5));
        xds().tick();
        assertThat(inbox.next().getResourcesCount()).isEqualTo(1);
    }

    @Test
    void followsAChangeAndMeasuresIt() throws Exception {
        start(ServerLimits.DEFAULT);
        Inbox<DiscoveryRequest, DiscoveryResponse> inbox = new Inbox<>();
        StreamObserver<DiscoveryRequest> requests = v3().streamAggregatedResources(inbox);
        requests.onNext(request(ENDPOINT, "a").build());
        ack(requests, inbox.next(), "a");
        live.publish(live.current().orElseThrow().with(ENDPOINT, ResourceSet.of(endpoints("a", 2))));
        DiscoveryResponse changed = inbox.next();
        ticker.advance(Duration.ofMillis(20));
        ack(requests, changed, "a");
        assertThat(meters.get("parley.xds.convergence.time")
                        .timer()
                        .totalTime(java.util.concurrent.TimeUnit.MILLISECONDS))
                .isEqualTo(20);
        assertThat(meters.get("parley.xds.connections").gauge().value()).isEqualTo(1);
        assertThat(meters.get("parley.xds.pushes")
                        .tag("type", "endpoint")
                        .functionCounter()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void s16_aReaderThatStopsHoldsNothingAndGetsTheNewestState() throws Exception {
        start(ServerLimits.DEFAULT);
        Inbox<DeltaDiscoveryRequest, DeltaDiscoveryResponse> inbox = new Inbox<>(1);
        StreamObserver<DeltaDiscoveryRequest> requests = v3().deltaAggregatedResources(inbox);
        requests.onNext(delta(ENDPOINT, "a").build());
        DeltaDiscoveryResponse first = inbox.next();
        requests.onNext(delta(ENDPOINT).setResponseNonce(first.getNonce()).build());
        for (int port = 2; port < 500; port++) {
            live.publish(live.current().orElseThrow().with(ENDPOINT, ResourceSet.of(endpoints("a", port))));
        }
        inbox.read(100);
        DeltaDiscoveryResponse second = inbox.next();
        requests.onNext(delta(ENDPOINT).setResponseNonce(second.getNonce()).build());
        DeltaDiscoveryResponse last = second.getResources(0).getVersion().equals(current("a")) ? second : inbox.next();
        assertThat(last.getResources(0).getVersion()).isEqualTo(current("a"));
        inbox.assertQuiet();
    }

    @Test
    void s17_admitsSoManyStreamsPerSecondAndSpreadsTheRest() throws Exception {
        start(ServerLimits.DEFAULT.withOpens(10, 20));
        int refused = 0;
        List<Inbox<DiscoveryRequest, DiscoveryResponse>> inboxes = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Inbox<DiscoveryRequest, DiscoveryResponse> inbox = new Inbox<>();
            v3().streamAggregatedResources(inbox).onNext(request(CLUSTER).build());
            inboxes.add(inbox);
            refused += inbox.isEmpty() ? 1 : 0;
        }
        assertThat(refused).isEqualTo(30);
        assertThat(inboxes.getLast().end().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(meters.get("parley.xds.refused.streams")
                        .tag("reason", "rate")
                        .counter()
                        .count())
                .isEqualTo(30);
        ticker.advance(Duration.ofSeconds(1));
        Inbox<DiscoveryRequest, DiscoveryResponse> later = new Inbox<>();
        v3().streamAggregatedResources(later).onNext(request(CLUSTER).build());
        later.next();
    }

    @Test
    void s17_endsStreamsOverAWindowWhenItGoesAway() throws Exception {
        start(ServerLimits.DEFAULT);
        List<Inbox<DiscoveryRequest, DiscoveryResponse>> inboxes = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Inbox<DiscoveryRequest, DiscoveryResponse> inbox = new Inbox<>();
            v3().streamAggregatedResources(inbox).onNext(request(CLUSTER).build());
            inboxes.add(inbox);
        }
        xds().drain(Duration.ofSeconds(10));
        ticker.advance(Duration.ofSeconds(5));
        xds().tick();
        assertThat(xds().streamCount()).isBetween(8, 32);
        ticker.advance(Duration.ofSeconds(5));
        xds().tick();
        assertThat(inboxes)
                .allSatisfy(inbox -> assertThat(inbox.end().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
    }

    @Test
    void boundsTheNumberOfStreams() throws Exception {
        start(ServerLimits.DEFAULT.withStreams(1));
        Inbox<DiscoveryRequest, DiscoveryResponse> first = new Inbox<>();
        StreamObserver<DiscoveryRequest> open = v3().streamAggregatedResources(first);
        open.onNext(request(CLUSTER).build());
        first.next();
        Inbox<DiscoveryRequest, DiscoveryResponse> second = new Inbox<>();
        v3().streamAggregatedResources(second);
        assertThat(second.end().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        open.onCompleted();
        assertThat(first.end().isOk()).isTrue();
        Inbox<DiscoveryRequest, DiscoveryResponse> third = new Inbox<>();
        v3().streamAggregatedResources(third).onNext(request(CLUSTER).build());
        third.next();
    }

    @Test
    void s25_refusesAnAggregatedRequestWithoutATypeAndImpliesItElsewhere() throws Exception {
        start(ServerLimits.DEFAULT);
        Inbox<DiscoveryRequest, DiscoveryResponse> aggregated = new Inbox<>();
        v3().streamAggregatedResources(aggregated).onNext(DiscoveryRequest.getDefaultInstance());
        assertThat(aggregated.end().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        Inbox<DiscoveryRequest, DiscoveryResponse> endpoints = new Inbox<>();
        EndpointDiscoveryServiceGrpc.newStub(channel())
                .streamEndpoints(endpoints)
                .onNext(DiscoveryRequest.newBuilder().addResourceNames("a").build());
        assertThat(endpoints.next().getTypeUrl()).isEqualTo(ENDPOINT.url(ApiVersion.V3));
    }

    @Test
    void refusesANodeThatIsTooLargeAndOneThatTheSourceRefuses() throws Exception {
        start(ServerLimits.DEFAULT);
        Inbox<DiscoveryRequest, DiscoveryResponse> inbox = new Inbox<>();
        v3().streamAggregatedResources(inbox)
                .onNext(request(CLUSTER)
                        .setNode(Node.newBuilder().setId("x".repeat(600_000)))
                        .build());
        assertThat(inbox.end().getDescription()).contains("node: 600004 bytes (expected: at most 524288)");
        Inbox<DiscoveryRequest, DiscoveryResponse> denied = new Inbox<>();
        v3().streamAggregatedResources(denied)
                .onNext(request(CLUSTER)
                        .setNode(Node.newBuilder().setId("stranger"))
                        .build());
        assertThat(denied.end().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    @Test
    void servesNothingUntilThereIsASnapshot() throws Exception {
        LiveSnapshot empty = new LiveSnapshot();
        xds = XdsServer.builder(_ -> new SnapshotSource.Admission.Serve(empty))
                .executor(Runnable::run)
                .ticker(ticker)
                .build();
        serve(xds);
        Inbox<DiscoveryRequest, DiscoveryResponse> inbox = new Inbox<>();
        v3().streamAggregatedResources(inbox).onNext(request(CLUSTER).build());
        inbox.assertQuiet();
        empty.publish(Snapshot.EMPTY);
        assertThat(inbox.next().getResourcesCount()).isZero();
    }

    @Test
    void tellsWhoOpenedAndWhoLeft() throws Exception {
        start(ServerLimits.DEFAULT);
        Inbox<DiscoveryRequest, DiscoveryResponse> inbox = new Inbox<>();
        StreamObserver<DiscoveryRequest> requests = v3().streamAggregatedResources(inbox);
        requests.onNext(
                request(ENDPOINT, "a").setNode(Node.newBuilder().setId("n1")).build());
        ack(requests, inbox.next(), "a");
        requests.onCompleted();
        assertThat(events).containsExactly("opened n1", "acknowledged n1", "closed n1");
    }

    private void start(ServerLimits limits) throws IOException {
        xds = XdsServer.builder(this::admit)
                .limits(limits)
                .listener(new RecordedStreams(events))
                .meters(meters)
                .executor(Runnable::run)
                .ticker(ticker)
                .random(new Random(7))
                .controlPlane("test")
                .build();
        serve(xds);
    }

    private SnapshotSource.Admission admit(NodeIdentity node) {
        nodes.add(node);
        return node.id().equals("stranger")
                ? new SnapshotSource.Admission.Refuse("not known here")
                : new SnapshotSource.Admission.Serve(live);
    }

    private void serve(XdsServer served) throws IOException {
        String name = InProcessServerBuilder.generateName();
        InProcessServerBuilder builder = InProcessServerBuilder.forName(name).directExecutor();
        served.services().forEach(builder::addService);
        new ClientStatusService(served, Clock.systemUTC()).services().forEach(builder::addService);
        server = builder.build().start();
        channel = InProcessChannelBuilder.forName(name).directExecutor().build();
    }

    private XdsServer xds() {
        return Objects.requireNonNull(xds);
    }

    private ManagedChannel channel() {
        return Objects.requireNonNull(channel);
    }

    private AggregatedDiscoveryServiceGrpc.AggregatedDiscoveryServiceStub v3() {
        return AggregatedDiscoveryServiceGrpc.newStub(channel());
    }

    private String current(String name) {
        return live.current()
                .orElseThrow()
                .resources(ENDPOINT)
                .find(name)
                .orElseThrow()
                .version();
    }
}
