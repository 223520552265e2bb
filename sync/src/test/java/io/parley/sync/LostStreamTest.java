package io.parley.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ConnectivityState;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.parley.sync.grpc.ClientPipe;
import io.parley.sync.grpc.SyncMethods;
import io.parley.sync.stream.Inlet;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A stream that is ended when its connection is lost already, and more has come on it than was read. */
class LostStreamTest {
    private static final MethodDescriptor<byte[], byte[]> METHOD =
            SyncMethods.bytes(SyncMethods.SYNC_SERVICE, SyncMethods.GLOBAL_TO_ZONE);

    private final Server server = server();
    private final TcpForwarder wire = new TcpForwarder(server.getPort());
    private final Queue<Status> closed = new ConcurrentLinkedQueue<>();
    private final ManagedChannel channel = Grpc.newChannelBuilderForAddress(
                    "127.0.0.1", wire.port(), InsecureChannelCredentials.create())
            .intercept(new Closings())
            .build();

    @AfterEach
    void close() {
        channel.shutdownNow();
        wire.close();
        server.shutdownNow();
    }

    @Test
    void isLetGoOfByGrpcTooAndNothingMoreComesOfIt() {
        Recorded inlet = new Recorded();
        ClientPipe<byte[]> pipe = openAndReadOne(inlet);
        // All three messages of the first stream were sent before what comes on another one of the same connection.
        ClientPipe<byte[]> other = openAndReadOne(new Recorded());
        wire.cut();
        await().until(() -> channel.getState(false) != ConnectivityState.READY);
        assertThat(closed).as("streams that wait to be read").isEmpty();

        pipe.end(Status.CANCELLED.withDescription("first"));
        other.end(Status.OK);

        await("gRPC keeps what came and was not asked for")
                .untilAsserted(() -> assertThat(closed).hasSize(2));
        assertThat(inlet.messages).hasSize(1);
        assertThat(inlet.ends).extracting(Status::getDescription).containsExactly("first");
    }

    private ClientPipe<byte[]> openAndReadOne(Recorded inlet) {
        ClientPipe<byte[]> pipe = ClientPipe.open(channel.newCall(METHOD, CallOptions.DEFAULT), new Metadata(), inlet);
        pipe.readNext();
        await().until(() -> !inlet.messages.isEmpty());
        return pipe;
    }

    /** What happens at one end. */
    private static final class Recorded implements Inlet {
        final Queue<byte[]> messages = new ConcurrentLinkedQueue<>();
        final Queue<Status> ends = new ConcurrentLinkedQueue<>();

        @Override
        public void ready() {}

        @Override
        public void message(byte[] bytes) {
            messages.add(bytes);
        }

        @Override
        public void ended(Status status) {
            ends.add(status);
        }
    }

    /** Notes which calls are over for gRPC. */
    private final class Closings implements ClientInterceptor {
        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void start(Listener<A> listener, Metadata headers) {
                    super.start(noting(listener), headers);
                }
            };
        }

        private <A> ClientCall.Listener<A> noting(ClientCall.Listener<A> listener) {
            return new SimpleForwardingClientCallListener<>(listener) {
                @Override
                public void onClose(Status status, Metadata trailers) {
                    super.onClose(status, trailers);
                    closed.add(status);
                }
            };
        }
    }

    /** Says three things on each stream, at once and in the order in which streams come. */
    private static Server server() {
        try {
            return Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                    .directExecutor()
                    .addService(ServerServiceDefinition.builder(SyncMethods.SYNC_SERVICE)
                            .addMethod(METHOD, new ThreeMessages())
                            .build())
                    .build()
                    .start();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static final class ThreeMessages implements ServerCallHandler<byte[], byte[]> {
        @Override
        public ServerCall.Listener<byte[]> startCall(ServerCall<byte[], byte[]> call, Metadata headers) {
            call.sendHeaders(new Metadata());
            for (byte message = 1; message <= 3; message++) {
                call.sendMessage(new byte[] {message});
            }
            return new ServerCall.Listener<>() {};
        }
    }
}
