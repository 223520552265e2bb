package io.parley.xds.server.interop;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.CallOptions;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerCall;
import io.grpc.ServerCredentials;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * A program that calls a service through xDS again and again and prints who answered, whenever that changes, and every failure. It is
 * compiled once and run with the jars of old and new releases of gRPC, so it keeps to what all of them have.
 */
final class GrpcPeer {
    static final MethodDescriptor<String, String> NAME = MethodDescriptor.<String, String>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("parley.Peer/Name")
            .setRequestMarshaller(new Text())
            .setResponseMarshaller(new Text())
            .build();

    private GrpcPeer() {}

    public static void main(String[] arguments) throws Exception {
        String target = arguments[1];
        switch (arguments[0]) {
            case "client" ->
                call(ManagedChannelBuilder.forTarget(target).usePlaintext().build());
            case "pair" -> pair(target, Integer.parseInt(arguments[2]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** A server that gets its listener by xDS, and a client of it. Only the newest release is asked to; hence by reflection. */
    private static void pair(String target, int port) throws Exception {
        ServerCredentials serverCredentials = (ServerCredentials) Class.forName("io.grpc.xds.XdsServerCredentials")
                .getMethod("create", ServerCredentials.class)
                .invoke(null, InsecureServerCredentials.create());
        ServerBuilder<?> builder = (ServerBuilder<?>) Class.forName("io.grpc.xds.XdsServerBuilder")
                .getMethod("forPort", int.class, ServerCredentials.class)
                .invoke(null, port, serverCredentials);
        Server server = builder.addService(service("xds server")).build().start();
        ChannelCredentials channelCredentials = (ChannelCredentials) Class.forName("io.grpc.xds.XdsChannelCredentials")
                .getMethod("create", ChannelCredentials.class)
                .invoke(null, InsecureChannelCredentials.create());
        call(Grpc.newChannelBuilder(target, channelCredentials).build());
        server.shutdownNow();
    }

    static ServerServiceDefinition service(String name) {
        return ServerServiceDefinition.builder("parley.Peer")
                .addMethod(NAME, (call, _) -> {
                    call.request(1);
                    return new ServerCall.Listener<>() {
                        @Override
                        public void onHalfClose() {
                            call.sendHeaders(new Metadata());
                            call.sendMessage(name + caller(call));
                            call.close(Status.OK, new Metadata());
                        }
                    };
                })
                .build();
    }

    private static String caller(ServerCall<?, ?> call) {
        SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
        try {
            return session == null ? "" : " for " + session.getPeerPrincipal() + " by " + session.getProtocol();
        } catch (SSLPeerUnverifiedException e) {
            return " for nobody";
        }
    }

    /** Until the process is ended, or five minutes at most. */
    private static void call(ManagedChannel channel) {
        String last = "";
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (System.nanoTime() < end) {
            String line;
            try {
                CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(2, TimeUnit.MINUTES);
                line = "OK " + ClientCalls.blockingUnaryCall(channel, NAME, options, "");
            } catch (StatusRuntimeException e) {
                line = "FAIL " + e.getStatus();
            }
            if (!line.equals(last)) {
                System.out.println(line);
                last = line;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        channel.shutdownNow();
    }

    private static final class Text implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String value) {
            return new ByteArrayInputStream(value.getBytes(UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
