package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.loopback;
import static io.parley.proxy.app.TestMesh.meshed;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.KeyPairs;
import io.parley.proxy.Direction;
import io.parley.proxy.balance.LiveEndpoint;
import io.parley.proxy.config.Balancing;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.ClusterConfig.Breaker;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Outliers;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.MeshCredentials;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.wire.header.ConnectionHeader;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Certificates that the mesh's own authority has signed and that prove nothing all the same, on either side of a connection. */
class DefectiveCertificatesTest {
    /** What is wrong with a certificate for somebody; {@code %s} is whom it looks like. */
    enum Defect {
        NUL_AFTER_THE_NAME(GeneralName.uniformResourceIdentifier, "%s\0.example"),
        WILDCARD(GeneralName.uniformResourceIdentifier, "spiffe://mesh.test/*"),
        NO_NAME(GeneralName.uniformResourceIdentifier, ""),
        ONLY_A_HOST_NAME(GeneralName.dNSName, "server.mesh.test"),
        ONLY_A_HOST_THAT_LOOKS_LIKE_IT(GeneralName.dNSName, "%s"),
        ESCAPED(GeneralName.uniformResourceIdentifier, "spiffe://mesh.test/ns/default/s%%61/x"),
        ANOTHER_SCHEME(GeneralName.uniformResourceIdentifier, "https://mesh.test/ns/default/sa/x"),
        QUERY(GeneralName.uniformResourceIdentifier, "%s?a=b"),
        EXPIRED(GeneralName.uniformResourceIdentifier, "%s");

        private final int kind;
        private final String name;

        Defect(int kind, String name) {
            this.kind = kind;
            this.name = name;
        }
    }

    private final TestMesh mesh = new TestMesh();
    private Server server;

    @BeforeEach
    void start() throws IOException {
        server = Server.greeting("hi");
    }

    @AfterEach
    void close() throws IOException {
        mesh.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    void aClientIsRefused(Defect defect) throws Exception {
        Proxy proxy = mesh.start(SERVER, config(List.of(inbound(Map.of(), strict(Protocol.DETECT)))));
        try (PeerProxy peer = PeerProxy.connect(
                proxy.address("inbound"),
                defective(defect, CLIENT.toString()),
                PeerIdentity.serverName(SERVER),
                ConnectionHeader.ALPN)) {
            // With TLS 1.3 the client learns of it only when it reads.
            peer.send(PeerProxy.bytes(ConnectionHeader.toPort(server.port(), null), ""));
            assertThat(peer.isCutOff()).isTrue();
        } catch (IOException _) {
            // With the handshake, or with the first bytes.
        }
        assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("tls-handshake");
        assertThat(server.accepted()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aServerGetsNoByte(Defect defect) throws Exception {
        AtomicInteger bytes = new AtomicInteger();
        try (SSLServerSocket endpoint = endpoint(defective(defect, SERVER.toString()))) {
            serve(endpoint, bytes);
            Proxy proxy = dialling((InetSocketAddress) endpoint.getLocalSocketAddress(), mesh.issue(CLIENT));
            try (Client _ = Client.to(proxy.address("outbound")).send("secret")) {
                assertThat(mesh.ending(Direction.OUTBOUND).cause()).isEqualTo("unreachable");
            }
        }
        assertThat(bytes).hasValue(0);
    }

    @Test
    void aServerWhoseNameBeginsLikeTheOneThatIsMeantGetsNoByte() throws Exception {
        AtomicInteger bytes = new AtomicInteger();
        try (SSLServerSocket endpoint = endpoint(issue(uri(SERVER + "2"), Duration.ofHours(1)))) {
            serve(endpoint, bytes);
            Proxy proxy = dialling((InetSocketAddress) endpoint.getLocalSocketAddress(), mesh.issue(CLIENT));
            try (Client _ = Client.to(proxy.address("outbound")).send("secret")) {
                assertThat(mesh.ending(Direction.OUTBOUND).detail())
                        .contains("identity: " + SERVER + "2 (expected: " + SERVER);
            }
        }
        assertThat(bytes).hasValue(0);
    }

    @Test
    void aProxyWhoseOwnCertificateHasExpiredDialsNobodyInItsName() throws IOException {
        Proxy inbound = mesh.start(SERVER, config(List.of(inbound(Map.of(), strict(Protocol.DETECT)))));
        Proxy proxy = dialling(inbound.address("inbound"), TestMesh.issue(mesh.ca(), CLIENT, Duration.ofSeconds(-1)));
        try (Client _ = Client.to(proxy.address("outbound")).send("secret")) {
            assertThat(mesh.ending(Direction.OUTBOUND).cause()).isEqualTo("unreachable");
        }
        assertThat(mesh.ending(Direction.OUTBOUND).detail()).contains("this proxy's certificate expired at");
        assertThat(server.accepted()).isZero();
    }

    @Test
    void noEndpointIsBlamedForRequestsThatTheProxyHasNoCertificateFor() throws IOException {
        MeshCredentials expired = TestMesh.issue(mesh.ca(), CLIENT, Duration.ofSeconds(-1));
        ClusterConfig app = new ClusterConfig(
                "app",
                List.of(meshed(server.port(), new InetSocketAddress(loopback(), 1), SERVER)),
                new Breaker(10, 10, 1, Duration.ofHours(1), 100),
                new HttpUpstream(Version.HTTP1, 10, new Outliers(1, 1), List.of()),
                new Balancing.LeastLoaded(),
                null,
                null);
        Optional<MeshCredentials> held = Optional.of(expired);
        Proxy proxy = mesh.start(() -> held, config(List.of(outbound("app", declared(Protocol.HTTP1))), app));
        try (Client client = Client.to(proxy.address("outbound")).send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")) {
            assertThat(client.read(80)).startsWith("HTTP/1.1 503").contains("x-parley-error: unreachable");
        }
        LiveEndpoint endpoint = proxy.machinery()
                .clusters()
                .find("app")
                .orElseThrow()
                .endpoints()
                .getFirst();
        assertThat(endpoint.isEjected(proxy.machinery().surroundings().ticker().getAsLong()))
                .isFalse();
    }

    private Proxy dialling(InetSocketAddress endpoint, MeshCredentials own) {
        Optional<MeshCredentials> held = Optional.of(own);
        return mesh.start(
                () -> held,
                config(
                        List.of(outbound("app", declared(Protocol.OPAQUE))),
                        cluster("app", meshed(server.port(), endpoint, SERVER))));
    }

    private static SSLServerSocket endpoint(Credentials credentials) throws IOException {
        SSLServerSocket socket = (SSLServerSocket)
                PeerProxy.context(credentials).getServerSocketFactory().createServerSocket(0, 10, loopback());
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {ConnectionHeader.ALPN});
        socket.setSSLParameters(parameters);
        return socket;
    }

    /** Counts what comes once a handshake is over. */
    private static void serve(SSLServerSocket endpoint, AtomicInteger bytes) {
        Thread.ofVirtual().start(() -> {
            while (!endpoint.isClosed()) {
                try (SSLSocket socket = (SSLSocket) endpoint.accept()) {
                    bytes.addAndGet(socket.getInputStream().readAllBytes().length);
                } catch (IOException _) {
                    // The proxy hangs up on it.
                }
            }
        });
    }

    private Credentials defective(Defect defect, String name) throws Exception {
        GeneralName shown = defect == Defect.NO_NAME ? null : new GeneralName(defect.kind, defect.name.formatted(name));
        return issue(shown, defect == Defect.EXPIRED ? Duration.ofSeconds(-1) : Duration.ofHours(1));
    }

    private static GeneralName uri(String text) {
        return new GeneralName(GeneralName.uniformResourceIdentifier, text);
    }

    /** What the authority itself would never sign. */
    private Credentials issue(@Nullable GeneralName name, Duration life) throws Exception {
        KeyPair pair = KeyPairs.generate(new SecureRandom());
        Instant now = Instant.now();
        var builder = new JcaX509v3CertificateBuilder(
                X500Name.getInstance(
                        mesh.ca().certificate().getSubjectX500Principal().getEncoded()),
                BigInteger.valueOf(now.toEpochMilli()),
                Date.from(now.minus(Duration.ofHours(1))),
                Date.from(now.plus(life)),
                new X500Name("CN=server"),
                pair.getPublic());
        if (name != null) {
            builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(name));
        }
        var signer =
                new JcaContentSignerBuilder("SHA256withECDSA").build(mesh.ca().privateKey());
        return new Credentials(
                List.of(new JcaX509CertificateConverter().getCertificate(builder.build(signer))), pair.getPrivate());
    }
}
