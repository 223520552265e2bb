package io.parley.xds.client.grpc;

import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import io.parley.xds.client.transport.RpcMethod;
import io.parley.xds.client.transport.RpcStream;
import io.parley.xds.client.transport.StreamEnd;
import io.parley.xds.client.transport.StreamListener;
import io.parley.xds.client.transport.Transport;
import java.io.IOException;
import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;

/** Streams over a gRPC channel. */
public final class GrpcTransport implements Transport {
    private final Connector connector;
    private @Nullable Connection connection;

    /** Makes the channel, which may fail: certificate files come and go. */
    interface Connector {
        Connection connect() throws IOException, GeneralSecurityException;
    }

    /**
     * A channel and how to use it.
     *
     * @param afterwards what else to let go of when the channel is closed
     */
    record Connection(ManagedChannel channel, CallOptions options, Runnable afterwards) {}

    GrpcTransport(Connector connector) {
        this.connector = connector;
    }

    /** A transport over a channel that is closed with it. */
    public static GrpcTransport over(ManagedChannel channel) {
        return new GrpcTransport(() -> new Connection(channel, CallOptions.DEFAULT, () -> {}));
    }

    @Override
    public <Q extends Message, A extends Message> RpcStream<Q> open(
            RpcMethod<Q, A> method, StreamListener<A> listener) {
        try {
            return open(connection(), method, listener);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            listener.closed(new StreamEnd(Status.Code.UNAVAILABLE.name(), "no channel: " + e));
            return RpcStream.none();
        }
    }

    private static <Q extends Message, A extends Message> RpcStream<Q> open(
            Connection connection, RpcMethod<Q, A> method, StreamListener<A> listener) {
        // The client waits between attempts by itself; the channel must not add waits of its own.
        connection.channel().resetConnectBackoff();
        ClientCall<Q, A> call = connection.channel().newCall(descriptor(method), connection.options());
        CallStream<Q, A> stream = new CallStream<>(call, listener);
        call.start(stream, new Metadata());
        return stream;
    }

    private synchronized Connection connection() throws IOException, GeneralSecurityException {
        if (connection == null) {
            connection = connector.connect();
        }
        return connection;
    }

    @Override
    public synchronized void close() {
        if (connection != null) {
            connection.channel().shutdownNow();
            connection.afterwards().run();
        }
    }

    private static <Q extends Message, A extends Message> MethodDescriptor<Q, A> descriptor(RpcMethod<Q, A> method) {
        return MethodDescriptor.<Q, A>newBuilder()
                .setType(MethodType.BIDI_STREAMING)
                .setFullMethodName(method.name())
                .setRequestMarshaller(ProtoUtils.marshaller(method.request()))
                .setResponseMarshaller(ProtoUtils.marshaller(method.answer()))
                .build();
    }

    private static final class CallStream<Q extends Message, A extends Message> extends ClientCall.Listener<A>
            implements RpcStream<Q> {
        private final ClientCall<Q, A> call;
        private final StreamListener<A> listener;
        private volatile boolean cancelled;

        CallStream(ClientCall<Q, A> call, StreamListener<A> listener) {
            this.call = call;
            this.listener = listener;
        }

        @Override
        public boolean isReady() {
            return call.isReady();
        }

        @Override
        public void send(Q message) {
            call.sendMessage(message);
        }

        @Override
        public void readNext() {
            call.request(1);
        }

        @Override
        public void cancel(String why) {
            if (cancelled) {
                return;
            }
            cancelled = true;
            // gRPC drops a cancellation if the connection is lost by then, and keeps what has come and was not asked
            // for, without ever calling onClose (NettyClientStream, MessageDeframer).
            // So it is asked for, and thrown away.
            call.request(Integer.MAX_VALUE);
            call.cancel(why, null);
        }

        @Override
        public void onReady() {
            listener.ready();
        }

        @Override
        public void onMessage(A message) {
            if (!cancelled) {
                listener.received(message);
            }
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            listener.closed(new StreamEnd(status.getCode().name(), text(status)));
        }

        private static String text(Status status) {
            @Nullable Throwable cause = status.getCause();
            String description = status.getDescription() == null ? "" : status.getDescription();
            return cause == null ? description : description + " (" + cause + ")";
        }
    }
}
