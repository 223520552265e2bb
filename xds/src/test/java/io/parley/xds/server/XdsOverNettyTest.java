package io.parley.xds.server;

import static io.parley.xds.server.Requests.delta;
import static io.parley.xds.server.Requests.request;
import static io.parley.xds.server.snapshot.Samples.endpoints;
import static io.parley.xds.type.ResourceType.ENDPOINT;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The server on real sockets and several threads. */
class XdsOverNettyTest {
    private static final int NAMES = 60_000;

    private final LiveSnapshot live =
            new LiveSnapshot(Snapshot.EMPTY.with(ENDPOINT, ResourceSet.of(endpoints("a", 1))));
    private final FakeTicker ticker = new FakeTicker();
    private final XdsServer xds = XdsServer.builder(_ -> new SnapshotSource.Admission.Serve(live))
            .ticker(ticker)
            .build();
    private Server server;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws Exception {
        NettyServerBuilder builder =
                NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        xds.register(builder);
        server = builder.build().start();
        channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .build();
    }

    @AfterEach
    void stop() throws InterruptedException {
        channel.shutdownNow();
        server.shutdownNow().awaitTermination();
        Awaitility.await().untilAsserted(() -> assertThat(live.watcherCount()).isZero());
    }

    @Test
    void s18_takesARequestAboveFourMebibytes() {
        Map<String, String> had = new HashMap<>();
        for (int i = 0; i < NAMES; i++) {
            had.put(
                    "a-rather-long-name-of-a-service-in-some-namespace-%06d.mesh.example".formatted(i),
                    "0123456789abcdef");
        }
        DeltaDiscoveryRequest large = delta(ENDPOINT, had.keySet().toArray(String[]::new))
                .putAllInitialResourceVersions(had)
                .build();
        assertThat(large.getSerializedSize()).isGreaterThan(4 * 1024 * 1024);
        Inbox<DeltaDiscoveryRequest, DeltaDiscoveryResponse> inbox = new Inbox<>();
        StreamObserver<DeltaDiscoveryRequest> requests =
                AggregatedDiscoveryServiceGrpc.newStub(channel).deltaAggregatedResources(inbox);
        requests.onNext(large);
        int removed = 0;
        while (removed < NAMES) {
            DeltaDiscoveryResponse piece = inbox.next(); // none above what gRPC takes by default
            removed += piece.getRemovedResourcesCount();
            requests.onNext(delta(ENDPOINT).setResponseNonce(piece.getNonce()).build());
        }
        assertThat(removed).isEqualTo(NAMES);
    }

    @Test
    void s19_splitsWhatADefaultClientWouldRefuse() {
        Set<String> names = new HashSet<>();
        List<EncodedResource> many = new ArrayList<>();
        int[] ports = new int[3000];
        Arrays.setAll(ports, i -> 1000 + i);
        for (int i = 0; i < 90; i++) {
            many.add(endpoints("e" + i, ports));
            names.add("e" + i);
        }
        live.publish(Snapshot.EMPTY.with(ENDPOINT, ResourceSet.of(many)));
        Inbox<DeltaDiscoveryRequest, DeltaDiscoveryResponse> inbox = new Inbox<>();
        StreamObserver<DeltaDiscoveryRequest> requests =
                AggregatedDiscoveryServiceGrpc.newStub(channel).deltaAggregatedResources(inbox);
        requests.onNext(delta(ENDPOINT, names.toArray(String[]::new)).build());
        Set<String> received = new HashSet<>();
        int answers = 0;
        while (received.size() < names.size()) {
            DeltaDiscoveryResponse response = inbox.next();
            response.getResourcesList().forEach(resource -> received.add(resource.getName()));
            requests.onNext(
                    delta(ENDPOINT).setResponseNonce(response.getNonce()).build());
            answers++;
        }
        assertThat(answers).isGreaterThan(1);
    }

    @Test
    void cutsOffAReaderThatStoppedAndServesTheOthers() {
        Inbox<DiscoveryRequest, DiscoveryResponse> stopped = new Inbox<>(0);
        int[] ports = new int[150_000];
        Arrays.setAll(ports, i -> 1000 + i);
        live.publish(Snapshot.EMPTY.with(ENDPOINT, ResourceSet.of(endpoints("a", ports), endpoints("b", 1))));
        AggregatedDiscoveryServiceGrpc.newStub(channel)
                .streamAggregatedResources(stopped)
                .onNext(request(ENDPOINT, "a").build());
        Inbox<DiscoveryRequest, DiscoveryResponse> other = new Inbox<>();
        AggregatedDiscoveryServiceGrpc.newStub(channel)
                .streamAggregatedResources(other)
                .onNext(request(ENDPOINT, "b").build());
        assertThat(other.next().getResourcesCount()).isEqualTo(1);
        Awaitility.await().until(() -> {
            ticker.advance(Duration.ofSeconds(61));
            xds.tick();
            return xds.streamCount() == 1;
        });
        stopped.read(10);
        assertThat(stopped.end().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    }

    @Test
    void manyPublishersAndClientsEndUpInTheSameState() throws Exception {
        List<Inbox<DiscoveryRequest, DiscoveryResponse>> inboxes = new ArrayList<>();
        List<StreamObserver<DiscoveryRequest>> requests = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Inbox<DiscoveryRequest, DiscoveryResponse> inbox = new Inbox<>();
            StreamObserver<DiscoveryRequest> stream =
                    AggregatedDiscoveryServiceGrpc.newStub(channel).streamAggregatedResources(inbox);
            stream.onNext(request(ENDPOINT, "a").build());
            inboxes.add(inbox);
            requests.add(stream);
        }
        Thread publisher = Thread.ofPlatform().start(() -> {
            for (int port = 2; port <= 300; port++) {
                live.publish(Snapshot.EMPTY.with(ENDPOINT, ResourceSet.of(endpoints("a", port))));
            }
        });
        publisher.join();
        String newest = live.current().orElseThrow().resources(ENDPOINT).version();
        for (int i = 0; i < 20; i++) {
            String version = "";
            while (!version.equals(newest)) {
                DiscoveryResponse response = inboxes.get(i).next();
                version = response.getVersionInfo();
                Requests.ack(requests.get(i), response, "a");
            }
        }
    }
}
