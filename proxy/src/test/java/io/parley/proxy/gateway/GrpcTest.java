package io.parley.proxy.gateway;

import static io.parley.proxy.gateway.Gateway.invalid;
import static io.parley.proxy.gateway.Gateway.prefix;
import static io.parley.proxy.gateway.Gateway.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.envoyproxy.envoy.config.route.v3.DirectResponseAction;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.parley.xds.type.ResourceType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** gRPC through the gateway, to a server of grpc-java. */
class GrpcTest {
    private static final MethodDescriptor<String, String> UNARY = method("Unary", MethodType.UNARY);
    private static final MethodDescriptor<String, String> SERVER = method("Server", MethodType.SERVER_STREAMING);
    private static final MethodDescriptor<String, String> CLIENT = method("Client", MethodType.CLIENT_STREAMING);
    private static final MethodDescriptor<String, String> BOTH = method("Both", MethodType.BIDI_STREAMING);
    private static final MethodDescriptor<String, String> FAILS = method("Fails", MethodType.UNARY);

    private final Gateway gateway = new Gateway();

    @SuppressWarnings("NullAway.Init")
    private Server server;

    @SuppressWarnings("NullAway.Init")
    private ManagedChannel channel;

    @BeforeEach
    void start() throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(ServerServiceDefinition.builder("test.Echo")
                        .addMethod(UNARY, ServerCalls.asyncUnaryCall(GrpcTest::echo))
                        .addMethod(SERVER, ServerCalls.asyncServerStreamingCall(GrpcTest::thrice))
                        .addMethod(CLIENT, ServerCalls.asyncClientStreamingCall(GrpcTest::joined))
                        .addMethod(BOTH, ServerCalls.asyncBidiStreamingCall(GrpcTest::mirrored))
                        .addMethod(
                                FAILS,
                                ServerCalls.asyncUnaryCall((_, out) -> out.onError(Status.FAILED_PRECONDITION
                                        .withDescription("no")
                                        .asRuntimeException())))
                        .build())
                .build()
                .start();
        gateway.backend(Gateway.h2c("grpc"), server.getPort());
    }

    @AfterEach
    void close() {
        channel.shutdownNow();
        server.shutdownNow();
        gateway.close();
    }

    private ManagedChannel connect() {
        channel = NettyChannelBuilder.forAddress("127.0.0.1", gateway.port())
                .usePlaintext()
                .build();
        return channel;
    }

    @Test
    void case05_case06_allKindsOfCallsPassWithTheirTrailers() throws InterruptedException {
        gateway.http(to("/", "grpc"));
        ManagedChannel to = connect();
        assertThat(ClientCalls.blockingUnaryCall(to, UNARY, CallOptions.DEFAULT, "a"))
                .isEqualTo("a");
        List<String> many = new ArrayList<>();
        ClientCalls.blockingServerStreamingCall(to, SERVER, CallOptions.DEFAULT, "b")
                .forEachRemaining(many::add);
        assertThat(many).containsExactly("b", "b", "b");
        Answers joined = new Answers();
        StreamObserver<String> in =
                ClientCalls.asyncClientStreamingCall(to.newCall(CLIENT, CallOptions.DEFAULT), joined);
        in.onNext("x");
        in.onNext("y");
        in.onCompleted();
        assertThat(joined.await()).containsExactly("xy");
        Answers mirrored = new Answers();
        StreamObserver<String> both =
                ClientCalls.asyncBidiStreamingCall(to.newCall(BOTH, CallOptions.DEFAULT), mirrored);
        both.onNext("1");
        both.onNext("2");
        both.onCompleted();
        assertThat(mirrored.await()).containsExactly("1", "2");
        assertThatThrownBy(() -> ClientCalls.blockingUnaryCall(to, FAILS, CallOptions.DEFAULT, ""))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessage("FAILED_PRECONDITION: no");
    }

    @Test
    void whatTheGatewayAnswersItselfIsAStatusOfGrpc() {
        gateway.tell(ResourceType.CLUSTER, invalid("bad", 503, "no Service bad"))
                .http(
                        to("/test.Echo/Unary", "bad"),
                        Route.newBuilder()
                                .setMatch(prefix("/test.Echo/Server"))
                                .setDirectResponse(
                                        DirectResponseAction.newBuilder().setStatus(403))
                                .build());
        ManagedChannel to = connect();
        assertThat(status(to, UNARY)).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(status(to, SERVER)).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(status(to, FAILS)).isEqualTo(Status.Code.UNIMPLEMENTED);
    }

    @Test
    void aRouteMayBeForGrpcOnly() {
        Route.Builder grpcOnly = Route.newBuilder()
                .setMatch(RouteMatch.newBuilder()
                        .setPrefix("/")
                        .setGrpc(RouteMatch.GrpcRouteMatchOptions.getDefaultInstance()));
        grpcOnly.getRouteBuilder().setCluster("grpc");
        gateway.http(grpcOnly.build());
        assertThat(ClientCalls.blockingUnaryCall(connect(), UNARY, CallOptions.DEFAULT, "a"))
                .isEqualTo("a");
        assertThat(Calls.http2(gateway.port(), "/test.Echo/Unary").status().code())
                .isEqualTo(404);
    }

    private static Status.Code status(ManagedChannel to, MethodDescriptor<String, String> method) {
        try {
            String _ = ClientCalls.blockingUnaryCall(
                    to, method.toBuilder().setType(MethodType.UNARY).build(), CallOptions.DEFAULT, "");
            return Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        }
    }

    private static final class Answers implements StreamObserver<String> {
        private final List<String> got = new ArrayList<>();
        private final CountDownLatch over = new CountDownLatch(1);

        List<String> await() throws InterruptedException {
            assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
            return got;
        }

        @Override
        public void onNext(String value) {
            got.add(value);
        }

        @Override
        public void onError(Throwable cause) {
            got.add(cause.toString());
            over.countDown();
        }

        @Override
        public void onCompleted() {
            over.countDown();
        }
    }

    private static void echo(String text, StreamObserver<String> out) {
        out.onNext(text);
        out.onCompleted();
    }

    private static void thrice(String text, StreamObserver<String> out) {
        for (int i = 0; i < 3; i++) {
            out.onNext(text);
        }
        out.onCompleted();
    }

    private static StreamObserver<String> joined(StreamObserver<String> out) {
        StringBuilder all = new StringBuilder();
        return observer(all::append, () -> {
            out.onNext(all.toString());
            out.onCompleted();
        });
    }

    private static StreamObserver<String> mirrored(StreamObserver<String> out) {
        return observer(out::onNext, out::onCompleted);
    }

    private static StreamObserver<String> observer(java.util.function.Consumer<String> each, Runnable end) {
        return new StreamObserver<>() {
            @Override
            public void onNext(String value) {
                each.accept(value);
            }

            @Override
            public void onError(Throwable cause) {}

            @Override
            public void onCompleted() {
                end.run();
            }
        };
    }

    private static MethodDescriptor<String, String> method(String name, MethodType type) {
        return MethodDescriptor.<String, String>newBuilder()
                .setType(type)
                .setFullMethodName("test.Echo/" + name)
                .setRequestMarshaller(new Text())
                .setResponseMarshaller(new Text())
                .build();
    }

    private static final class Text implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String value) {
            return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
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
}
