package io.parley.xds.client.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc.AggregatedDiscoveryServiceImplBase;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.parley.xds.client.transport.RpcMethod;
import io.parley.xds.client.transport.RpcStream;
import io.parley.xds.client.transport.StreamEnd;
import io.parley.xds.client.transport.StreamListener;
import io.parley.xds.client.transport.Transport;
import io.parley.xds.type.ApiVersion;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A stream that is cancelled when its connection is lost already, and more has come on it than was read. */
class LostStreamTest {
    private final Server server = server();
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final CompletableFuture<Channel> socket = new CompletableFuture<>();

    @AfterEach
    void close() {
        server.shutdownNow();
        var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void comesToItsEndAndNothingMoreIsReceived() throws Exception {
        try (Transport transport = transport(channel -> channel)) {
            cancelUnread(transport);
        }
    }

    @Test
    void doesSoIfItIsCalledBackWhileItIsCancelled() throws Exception {
        try (Transport transport = transport(NettyChannelBuilder::directExecutor)) {
            cancelUnread(transport);
        }
    }

    private void cancelUnread(Transport transport) throws Exception {
        Recorded listener = new Recorded();
        RpcStream<DiscoveryRequest> stream = openAndReadOne(transport, listener);
        // All three answers of the first stream were sent before what comes on another one of the same connection.
        Recorded otherListener = new Recorded();
        RpcStream<DiscoveryRequest> other = openAndReadOne(transport, otherListener);
        loseConnection();
        assertThat(listener.ends).as("a stream that waits to be read").isEmpty();

        loop.submit(() -> stream.cancel("first")).get();
        other.cancel("other");

        await("gRPC keeps what came and was not asked for").untilAsserted(() -> {
            assertThat(listener.ends).hasSize(1);
            assertThat(otherListener.ends).hasSize(1);
        });
        assertThat(listener.answers).hasSize(1);
        assertThat(otherListener.answers).hasSize(1);
    }

    private static RpcStream<DiscoveryRequest> openAndReadOne(Transport transport, Recorded listener) {
        RpcStream<DiscoveryRequest> stream = transport.open(RpcMethod.sotw(ApiVersion.V3), listener);
        stream.readNext();
        await().until(() -> !listener.answers.isEmpty());
        return stream;
    }

    /** As when the wire breaks: neither side says a word, and the loop is done with the connection. */
    private void loseConnection() throws Exception {
        Channel lost = socket.get(10, TimeUnit.SECONDS);
        loop.submit(() -> lost.unsafe().close(lost.voidPromise())).get();
        lost.closeFuture().await();
        await().until(() -> loop.submit(() -> !lost.isRegistered()).get());
    }

    private Transport transport(UnaryOperator<NettyChannelBuilder> change) {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .eventLoopGroup(loop)
                .channelFactory(() -> {
                    NioSocketChannel made = new NioSocketChannel();
                    socket.complete(made);
                    return made;
                });
        ManagedChannel channel = change.apply(builder).build();
        return GrpcTransport.over(channel);
    }

    private static Server server() {
        try {
            return Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                    .directExecutor()
                    .addService(new ThreeAnswers())
                    .build()
                    .start();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** What happens on a stream. */
    private static final class Recorded implements StreamListener<DiscoveryResponse> {
        final Queue<DiscoveryResponse> answers = new ConcurrentLinkedQueue<>();
        final Queue<StreamEnd> ends = new ConcurrentLinkedQueue<>();

        @Override
        public void ready() {}

        @Override
        public void received(DiscoveryResponse message) {
            answers.add(message);
        }

        @Override
        public void closed(StreamEnd end) {
            ends.add(end);
        }
    }

    /** Says three things on each stream, at once and in the order in which streams come. */
    private static final class ThreeAnswers extends AggregatedDiscoveryServiceImplBase {
        @Override
        public StreamObserver<DiscoveryRequest> streamAggregatedResources(StreamObserver<DiscoveryResponse> answers) {
            for (int version = 1; version <= 3; version++) {
                answers.onNext(DiscoveryResponse.newBuilder()
                        .setVersionInfo(Integer.toString(version))
                        .build());
            }
            return new Requests();
        }
    }

    private static final class Requests implements StreamObserver<DiscoveryRequest> {
        @Override
        public void onNext(DiscoveryRequest request) {}

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onCompleted() {}
    }
}
