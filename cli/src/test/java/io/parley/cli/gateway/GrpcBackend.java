package io.parley.cli.gateway;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.Pem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** A gRPC server that answers with its name and what it was sent: one call of each kind, and one that fails. */
final class GrpcBackend implements AutoCloseable {
    static final MethodDescriptor<String, String> UNARY = method("test.Echo/Unary", MethodType.UNARY);
    static final MethodDescriptor<String, String> SERVER = method("test.Echo/Server", MethodType.SERVER_STREAMING);
    static final MethodDescriptor<String, String> CLIENT = method("test.Echo/Client", MethodType.CLIENT_STREAMING);
    static final MethodDescriptor<String, String> BOTH = method("test.Echo/Both", MethodType.BIDI_STREAMING);
    static final MethodDescriptor<String, String> FAILS = method("test.Echo/Fails", MethodType.UNARY);
    static final MethodDescriptor<String, String> OTHER = method("test.Other/Unary", MethodType.UNARY);

    private final String name;
    private final Server server;

    GrpcBackend(String name) {
        this(name, NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    }

    /** Behind TLS. */
    GrpcBackend(String name, Credentials shown) {
        this(
                name,
                NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .useTransportSecurity(stream(Pem.encode(shown.chain())), stream(Pem.encode(shown.key()))));
    }

    private GrpcBackend(String name, NettyServerBuilder builder) {
        this.name = name;
        try {
            this.server = builder.addService(ServerServiceDefinition.builder("test.Echo")
                            .addMethod(UNARY, ServerCalls.asyncUnaryCall(this::answer))
                            .addMethod(SERVER, ServerCalls.asyncServerStreamingCall(this::thrice))
                            .addMethod(CLIENT, ServerCalls.asyncClientStreamingCall(this::joined))
                            .addMethod(BOTH, ServerCalls.asyncBidiStreamingCall(GrpcBackend::mirrored))
                            .addMethod(FAILS, ServerCalls.asyncUnaryCall(GrpcBackend::fail))
                            .build())
                    .addService(ServerServiceDefinition.builder("test.Other")
                            .addMethod(OTHER, ServerCalls.asyncUnaryCall(this::answer))
                            .build())
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return server.getPort();
    }

    private void answer(String text, StreamObserver<String> out) {
        out.onNext(name + ": " + text);
        out.onCompleted();
    }

    private void thrice(String text, StreamObserver<String> out) {
        for (int at = 0; at < 3; at++) {
            out.onNext(name + ": " + text);
        }
        out.onCompleted();
    }

    private StreamObserver<String> joined(StreamObserver<String> out) {
        StringBuilder all = new StringBuilder();
        return new Taking(all::append, () -> answer(all.toString(), out));
    }

    private static StreamObserver<String> mirrored(StreamObserver<String> out) {
        return new Taking(out::onNext, out::onCompleted);
    }

    private static void fail(String text, StreamObserver<String> out) {
        out.onError(Status.FAILED_PRECONDITION.withDescription(text).asRuntimeException());
    }

    /** Takes what comes. */
    private record Taking(Consumer<String> each, Runnable end) implements StreamObserver<String> {
        @Override
        public void onNext(String value) {
            each.accept(value);
        }

        @Override
        public void onError(Throwable cause) {
            // The client went away.
        }

        @Override
        public void onCompleted() {
            end.run();
        }
    }

    private static MethodDescriptor<String, String> method(String name, MethodType type) {
        return MethodDescriptor.<String, String>newBuilder()
                .setType(type)
                .setFullMethodName(name)
                .setRequestMarshaller(new Text())
                .setResponseMarshaller(new Text())
                .build();
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static final class Text implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String value) {
            return GrpcBackend.stream(value);
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
