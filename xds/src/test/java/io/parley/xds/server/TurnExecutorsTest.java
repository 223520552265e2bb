package io.parley.xds.server;

import static io.parley.xds.server.Requests.ack;
import static io.parley.xds.server.Requests.request;
import static io.parley.xds.server.snapshot.Samples.cluster;
import static io.parley.xds.server.snapshot.Samples.endpoints;
import static io.parley.xds.type.ResourceType.CLUSTER;
import static io.parley.xds.type.ResourceType.ENDPOINT;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.parley.xds.server.SnapshotSource.Admission;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where changes are turned into answers. */
class TurnExecutorsTest {
    private static final Executor NOWHERE = _ -> {
        throw new RejectedExecutionException("shut down");
    };

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final LiveSnapshot live = new LiveSnapshot(state(1));
    private final List<ManagedChannel> channels = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // set by each test
    private Server server;

    @AfterEach
    void stop() throws InterruptedException {
        channels.forEach(ManagedChannel::shutdownNow);
        server.shutdownNow().awaitTermination();
        var _ = loops.shutdownGracefully();
    }

    @Test
    void answersToAChangeAreWrittenByTheConnectionsOwnLoop() throws Exception {
        start(TurnExecutors.eventLoops(loops, NOWHERE));
        Inbox<DiscoveryRequest, DiscoveryResponse> inbox = client();

        live.publish(state(2));

        assertThat(inbox.next().getVersionInfo())
                .isEqualTo(state(2).resources(CLUSTER).version());
    }

    @Test
    void aStreamWhoseExecutorIsGoneKeepsNobodyElseFromBeingTold() throws Exception {
        List<Executor> executors = new ArrayList<>(List.of(NOWHERE, Runnable::run, NOWHERE));
        start(_ -> executors.removeFirst());
        Inbox<DiscoveryRequest, DiscoveryResponse> first = client();
        Inbox<DiscoveryRequest, DiscoveryResponse> second = client();
        Inbox<DiscoveryRequest, DiscoveryResponse> third = client();

        live.publish(state(2));

        assertThat(second.next().getVersionInfo())
                .isEqualTo(state(2).resources(CLUSTER).version());
        first.assertQuiet();
        third.assertQuiet();
        assertThat(live.watcherCount()).isEqualTo(1);
    }

    private void start(TurnExecutors turns) throws Exception {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .channelType(NioServerSocketChannel.class)
                .directExecutor();
        XdsServer.builder(_ -> new Admission.Serve(live)).turnsOn(turns).build().register(builder);
        server = builder.build().start();
    }

    /** A client on a connection of its own that has accepted the first state. */
    private Inbox<DiscoveryRequest, DiscoveryResponse> client() {
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .build();
        channels.add(channel);
        Inbox<DiscoveryRequest, DiscoveryResponse> inbox = new Inbox<>();
        StreamObserver<DiscoveryRequest> requests =
                AggregatedDiscoveryServiceGrpc.newStub(channel).streamAggregatedResources(inbox);
        requests.onNext(request(CLUSTER).build());
        ack(requests, inbox.next());
        // Answered after what came before it: a state that is published meanwhile would be the answer to the
        // acceptance.
        requests.onNext(request(ENDPOINT).addResourceNames("b").build());
        assertThat(inbox.next().getTypeUrl()).isEqualTo(request(ENDPOINT).getTypeUrl());
        return inbox;
    }

    private static Snapshot state(int timeout) {
        return Snapshot.EMPTY
                .with(CLUSTER, ResourceSet.of(cluster("a", timeout)))
                .with(ENDPOINT, ResourceSet.of(endpoints("b", 1)));
    }
}
