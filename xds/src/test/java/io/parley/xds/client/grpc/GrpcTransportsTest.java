package io.parley.xds.client.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc.AggregatedDiscoveryServiceImplBase;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.TlsServerCredentials;
import io.grpc.stub.StreamObserver;
import io.parley.xds.bootstrap.CallCredentials;
import io.parley.xds.bootstrap.ChannelCredentials;
import io.parley.xds.bootstrap.ChannelCredentials.KeyFiles;
import io.parley.xds.bootstrap.ChannelCredentials.Tls;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.transport.RpcMethod;
import io.parley.xds.client.transport.RpcStream;
import io.parley.xds.client.transport.StreamEnd;
import io.parley.xds.client.transport.StreamListener;
import io.parley.xds.client.transport.Transport;
import io.parley.xds.type.ApiVersion;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Credentials over real sockets. */
class GrpcTransportsTest {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final Path certificate = resource("cert.pem");
    private final Path key = resource("key.pem");
    private final Queue<String> tokens = new ConcurrentLinkedQueue<>();
    private final GrpcTransports transports = new GrpcTransports("test");

    @TempDir
    Path folder;

    private final List<Server> servers = new ArrayList<>();

    @AfterEach
    void stop() {
        servers.forEach(Server::shutdownNow);
    }

    @Test
    void speaksTlsWithItsOwnCertificateAndARenewedToken() throws Exception {
        start(TlsServerCredentials.newBuilder()
                .keyManager(certificate.toFile(), key.toFile())
                .trustManager(certificate.toFile())
                .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                .build());
        Path token = Files.writeString(folder.resolve("token"), "first\n");
        Tls tls = new Tls(certificate, new KeyFiles(certificate, key), Tls.DEFAULT_REFRESH);

        try (Transport transport = transports.connect(server(tls, new CallCredentials.JwtTokenFile(token)))) {
            assertThat(exchange(transport)).isEqualTo("answer");
            Files.writeString(token, "second");
            assertThat(exchange(transport)).isEqualTo("answer");
        }
        assertThat(tokens).containsExactly("Bearer first", "Bearer second");
    }

    @Test
    void doesNotTrustAServerOfAnotherAuthority() throws Exception {
        start(TlsServerCredentials.create(certificate.toFile(), key.toFile()));

        try (Transport transport = transports.connect(server(Tls.systemRoots()))) {
            assertThat(exchange(transport)).startsWith("UNAVAILABLE");
        }
    }

    @Test
    void doesNotSendATokenInPlainText() throws Exception {
        start(InsecureServerCredentials.create());
        Path token = Files.writeString(folder.resolve("token"), "secret");

        try (Transport transport = transports.connect(
                server(new ChannelCredentials.Insecure(), new CallCredentials.JwtTokenFile(token)))) {
            assertThat(exchange(transport)).startsWith("UNAUTHENTICATED").doesNotContain("secret");
        }
        assertThat(tokens).isEmpty();
    }

    @Test
    void filesThatAreMissingAreAFailedAttemptAndReadAtTheNext() throws Exception {
        start(TlsServerCredentials.create(certificate.toFile(), key.toFile()));
        Path later = folder.resolve("ca.pem");

        try (Transport transport = transports.connect(server(new Tls(later, null, Duration.ofMinutes(1))))) {
            assertThat(exchange(transport))
                    .startsWith("UNAVAILABLE: no channel")
                    .contains("ca.pem");
            Files.copy(certificate, later);
            assertThat(exchange(transport)).isEqualTo("answer");
        }
    }

    @Test
    void aTokenThatCannotBeReadIsAFailedAttempt() throws Exception {
        start(TlsServerCredentials.create(certificate.toFile(), key.toFile()));
        Tls tls = new Tls(certificate, null, Tls.DEFAULT_REFRESH);

        for (String content : List.of("", "two\nlines", "\u00e9")) {
            Path token = Files.writeString(folder.resolve("token"), content);
            try (Transport transport = transports.connect(server(tls, new CallCredentials.JwtTokenFile(token)))) {
                assertThat(exchange(transport)).startsWith("UNAVAILABLE").contains("not a token");
            }
        }
        try (Transport transport =
                transports.connect(server(tls, new CallCredentials.JwtTokenFile(folder.resolve("none"))))) {
            assertThat(exchange(transport)).startsWith("UNAVAILABLE").contains("no such file");
        }
    }

    @Test
    void anAnswerThatIsTooLargeEndsTheStreamBeforeItIsRead() throws Exception {
        start(InsecureServerCredentials.create(), "a".repeat(17 << 20));
        try (Transport transport = transports.connect(server(new ChannelCredentials.Insecure()))) {
            assertThat(exchange(transport)).startsWith("RESOURCE_EXHAUSTED").hasSizeLessThan(1_000);
        }
        start(InsecureServerCredentials.create(), "a".repeat(15 << 20));
        try (Transport transport = transports.connect(server(new ChannelCredentials.Insecure()))) {
            assertThat(exchange(transport)).hasSize(15 << 20);
        }
    }

    /** Opens a stream, says something, and returns what came first: an answer or the end. */
    private static String exchange(Transport transport) throws InterruptedException {
        BlockingQueue<String> outcome = new LinkedBlockingQueue<>();
        BlockingQueue<String> ready = new LinkedBlockingQueue<>();
        RpcStream<DiscoveryRequest> stream =
                transport.open(RpcMethod.sotw(ApiVersion.V3), new StreamListener<DiscoveryResponse>() {
                    @Override
                    public void ready() {
                        ready.add("ready");
                    }

                    @Override
                    public void received(DiscoveryResponse message) {
                        outcome.add(message.getVersionInfo());
                    }

                    @Override
                    public void closed(StreamEnd end) {
                        outcome.add(end.toString());
                        ready.add("closed");
                    }
                });
        stream.readNext();
        if (Objects.equals(ready.poll(30, TimeUnit.SECONDS), "ready")) {
            stream.send(DiscoveryRequest.getDefaultInstance());
        }
        String first = outcome.poll(30, TimeUnit.SECONDS);
        stream.cancel("done");
        return Objects.requireNonNull(first, "nothing came");
    }

    private XdsServer server(ChannelCredentials channel, CallCredentials... calls) {
        return new XdsServer("127.0.0.1:" + servers.getLast().getPort(), channel, List.of(calls), Set.of());
    }

    private void start(ServerCredentials credentials) throws IOException {
        start(credentials, "answer");
    }

    private void start(ServerCredentials credentials, String answer) throws IOException {
        servers.add(Grpc.newServerBuilderForPort(0, credentials)
                .addService(new Answering(answer))
                .intercept(new TokenReader())
                .build()
                .start());
    }

    private static Path resource(String name) {
        try {
            return Path.of(Objects.requireNonNull(GrpcTransportsTest.class.getResource(name))
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Answering extends AggregatedDiscoveryServiceImplBase {
        private final String answer;

        Answering(String answer) {
            this.answer = answer;
        }

        @Override
        public StreamObserver<DiscoveryRequest> streamAggregatedResources(StreamObserver<DiscoveryResponse> answers) {
            return new StreamObserver<>() {
                @Override
                public void onNext(DiscoveryRequest request) {
                    answers.onNext(DiscoveryResponse.newBuilder()
                            .setVersionInfo(answer)
                            .build());
                }

                @Override
                public void onError(Throwable error) {}

                @Override
                public void onCompleted() {}
            };
        }
    }

    private final class TokenReader implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            String token = headers.get(AUTHORIZATION);
            if (token != null) {
                tokens.add(token);
            }
            return next.startCall(call, headers);
        }
    }
}
