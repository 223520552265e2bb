package io.parley.bench.link;

import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.server.Server;
import io.parley.agreement.version.OfferedVersion;
import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.Pem;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.auth.Authentication;
import io.parley.link.auth.NodePrincipal;
import io.parley.link.auth.TokenAuthenticator;
import io.parley.link.server.LinkEndpoint;
import io.parley.link.server.LinkListener;
import io.parley.link.server.ServiceBinding;
import io.parley.wire.wrpc.proto.PingCPResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/** A control plane that answers pings. */
final class BenchControlPlane implements AutoCloseable {
    private final Server server;
    private final LinkEndpoint endpoint;
    private final Path authority;

    BenchControlPlane() throws IOException {
        var ca = CertificateAuthority.create("bench", Duration.ofDays(1), Clock.systemUTC(), new SecureRandom());
        Credentials tls = ca.issueServer(List.of("localhost"), List.of("127.0.0.1"), Duration.ofHours(1));
        authority = Files.writeString(Files.createTempFile("bench", ".pem"), Pem.encode(ca.certificate()));
        var ping = new ServiceBinding(
                Services.CONFIG_NAME,
                OfferedVersion.of(Services.V1),
                Services.CONFIG,
                _ -> new ServiceHandler(() -> {})
                        .on(
                                Services.PING_CP,
                                _ -> CompletableFuture.completedFuture(PingCPResponse.getDefaultInstance())));
        endpoint = new LinkEndpoint(
                LinkEndpoint.Settings.of("bench"),
                new TokenAuthenticator((_, _) ->
                        CompletableFuture.completedFuture(new Authentication.Granted(NodePrincipal.named("bench")))),
                List.of(ping),
                LinkListener.NONE,
                Clock.systemUTC(),
                () -> ThreadLocalRandom.current().nextLong());
        server = Server.builder()
                .https(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .tls(TlsKeyPair.of(tls.key(), tls.chain()))
                .service(LinkEndpoint.PATH, endpoint.httpService())
                .gracefulShutdownTimeoutMillis(0, 0)
                .build();
        server.start().join();
    }

    int port() {
        return server.activeLocalPort();
    }

    Path authority() {
        return authority;
    }

    int connected() {
        return endpoint.nodes().size();
    }

    @Override
    public void close() throws IOException {
        server.stop().join();
        Files.deleteIfExists(authority);
    }
}
