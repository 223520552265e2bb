package io.parley.cli.policy;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A gRPC server that does as it is told and says how it is. */
final class Quotes implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final MethodDescriptor<byte[], byte[]> ASK = method("quotes.Quotes/Ask");
    private static final MethodDescriptor<byte[], byte[]> CHECK = method("grpc.health.v1.Health/Check");

    /** Of HealthCheckResponse, the field status with SERVING or NOT_SERVING. */
    private static final byte[] WELL = {8, 1};

    private static final byte[] NOT_WELL = {8, 2};

    /** How many calls fail before one succeeds. */
    final AtomicInteger failures = new AtomicInteger();

    volatile boolean unwell;

    private final String name;
    private final Server server;

    Quotes(String name) {
        this.name = name;
        try {
            server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .addService(ServerServiceDefinition.builder("quotes.Quotes")
                            .addMethod(ASK, ServerCalls.asyncUnaryCall((_, out) -> answer(out)))
                            .build())
                    .addService(ServerServiceDefinition.builder("grpc.health.v1.Health")
                            .addMethod(CHECK, ServerCalls.asyncUnaryCall((_, out) -> check(out)))
                            .build())
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name of who answers. */
    static String ask(ManagedChannel channel) {
        byte[] answer = ClientCalls.blockingUnaryCall(channel, ASK, CallOptions.DEFAULT, new byte[0]);
        return new String(answer, StandardCharsets.US_ASCII);
    }

    String name() {
        return name;
    }

    int port() {
        return server.getPort();
    }

    private void answer(StreamObserver<byte[]> out) {
        if (failures.getAndDecrement() > 0) {
            out.onError(Status.UNAVAILABLE.asRuntimeException());
            return;
        }
        CompletableFuture.delayedExecutor(PAUSE.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> complete(out, name.getBytes(StandardCharsets.US_ASCII)));
    }

    private void check(StreamObserver<byte[]> out) {
        complete(out, unwell ? NOT_WELL : WELL);
    }

    private static void complete(StreamObserver<byte[]> out, byte[] message) {
        out.onNext(message);
        out.onCompleted();
    }

    private static MethodDescriptor<byte[], byte[]> method(String name) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodType.UNARY)
                .setFullMethodName(name)
                .setRequestMarshaller(new Bytes())
                .setResponseMarshaller(new Bytes())
                .build();
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
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
