package io.parley.control.serve;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.parley.agreement.version.NodeDescription;
import io.parley.identity.certificate.Pem;
import io.parley.link.Backoff;
import io.parley.link.LinkLimits;
import io.parley.link.client.ClientService;
import io.parley.link.client.ClientTls;
import io.parley.link.client.LinkClient;
import io.parley.link.client.LinkClientListener;
import io.parley.link.negotiation.AnswerCheck;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A data plane's end of a link, with a real socket and real TLS. */
final class TestNode implements LinkClientListener, AutoCloseable {
    /** What it shows. */
    sealed interface Credential {
        record Token(String text) implements Credential {}

        record Certificate(TestIdentity identity) implements Credential {}
    }

    final List<AnswerCheck.Agreed> agreed = new CopyOnWriteArrayList<>();
    final List<String> disconnected = new CopyOnWriteArrayList<>();
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final LinkClient client;

    TestNode(int port, Path caFile, String name, Credential credential, List<ClientService> services)
            throws IOException {
        List<X509Certificate> authorities = Pem.certificates(Files.readString(caFile));
        client = new LinkClient(
                new LinkClient.Settings(
                        URI.create("https://localhost:" + port),
                        () -> switch (credential) {
                            case Credential.Token _ -> ClientTls.trusting(authorities);
                            case Credential.Certificate(TestIdentity identity) ->
                                ClientTls.trusting(authorities, identity.certificates, identity.privateKey());
                        },
                        () -> credential instanceof Credential.Token(String token)
                                ? Optional.of(token)
                                : Optional.empty(),
                        new NodeDescription(name, "PARLEY", "0.1.0", "test"),
                        Map.of(),
                        LinkLimits.DEFAULT,
                        () -> new Backoff(Duration.ofMillis(100), Duration.ofMillis(500))),
                services,
                this,
                group.next(),
                NioSocketChannel::new,
                Clock.systemUTC(),
                new SplittableRandom(1));
    }

    TestNode start() {
        client.start();
        return this;
    }

    @Override
    public void connected(AnswerCheck.Agreed answer) {
        agreed.add(answer);
    }

    @Override
    public void disconnected(String reason, Duration retryAfter) {
        disconnected.add(reason);
    }

    @Override
    public void close() {
        client.close();
        var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
