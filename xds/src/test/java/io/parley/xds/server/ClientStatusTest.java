package io.parley.xds.server;

import static io.parley.xds.server.Requests.ack;
import static io.parley.xds.server.Requests.request;
import static io.parley.xds.server.snapshot.Samples.cluster;
import static io.parley.xds.type.ResourceType.CLUSTER;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.status.v3.ClientStatusDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.envoyproxy.envoy.service.status.v3.ClientStatusResponse;
import io.envoyproxy.envoy.type.matcher.v3.NodeMatcher;
import io.envoyproxy.envoy.type.matcher.v3.RegexMatcher;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import io.parley.xds.server.SnapshotSource.Admission;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.server.status.ClientStatusService;
import java.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClientStatusTest {
    private final Inbox<ClientStatusRequest, ClientStatusResponse> inbox = new Inbox<>();
    private final XdsServer xds = XdsServer.builder(_ ->
                    new Admission.Serve(new LiveSnapshot(Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(cluster("a"))))))
            .executor(Runnable::run)
            .listener(new StreamListener() {
                @Override
                public void acknowledged(StreamInfo stream, String typeUrl, String version) {
                    askAndEnd(ClientStatusRequest.getDefaultInstance());
                }
            })
            .build();
    private Server server;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws Exception {
        String name = InProcessServerBuilder.generateName();
        InProcessServerBuilder builder = InProcessServerBuilder.forName(name).directExecutor();
        xds.services().forEach(builder::addService);
        server = builder.addService(new ClientStatusService(xds, Clock.systemUTC()))
                .build()
                .start();
        channel = InProcessChannelBuilder.forName(name).directExecutor().build();
    }

    @AfterEach
    void stop() throws InterruptedException {
        channel.shutdownNow();
        server.shutdownNow().awaitTermination();
    }

    /** It is asked in the middle of a stream's turn, so that the stream's state cannot be told at once. */
    @Test
    void whoEndsItsSideAtOnceIsAnsweredAllTheSame() {
        Inbox<DiscoveryRequest, DiscoveryResponse> discovery = new Inbox<>();
        StreamObserver<DiscoveryRequest> requests =
                AggregatedDiscoveryServiceGrpc.newStub(channel).streamAggregatedResources(discovery);
        requests.onNext(request(CLUSTER).build());
        ack(requests, discovery.next());

        assertThat(inbox.end().isOk()).isTrue();
        assertThat(inbox.next().getConfig(0).getGenericXdsConfigs(0).getName()).isEqualTo("a");
    }

    @Test
    void saysWhichMatchersItDoesNotKnow() {
        askAndEnd(ClientStatusRequest.newBuilder()
                .addNodeMatchers(NodeMatcher.newBuilder()
                        .setNodeId(StringMatcher.newBuilder()
                                .setSafeRegex(RegexMatcher.newBuilder().setRegex("web-.*"))))
                .build());

        Status end = inbox.end();
        assertThat(end.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(end.getDescription()).contains("node_matchers");
    }

    private void askAndEnd(ClientStatusRequest request) {
        StreamObserver<ClientStatusRequest> requests =
                ClientStatusDiscoveryServiceGrpc.newStub(channel).streamClientStatus(inbox);
        requests.onNext(request);
        requests.onCompleted();
    }
}
