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
import static io.parley.proxy.app.TestMesh.redirected;
import static io.parley.proxy.app.TestMesh.strict;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parley.identity.certificate.Credentials;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.UpstreamTls;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.wire.header.ConnectionHeader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who fails in a handshake is told why, by an alert (RFC 8446 6.2). */
class HandshakeAlertsTest {
    private static final Duration AN_HOUR = Duration.ofHours(1);

    private final TestMesh mesh = new TestMesh();

    /** Whose handshake it is. */
    enum Place {
        OWN_PORT,
        APPLICATION_PORT
    }

    @AfterEach
    void close() {
        mesh.close();
    }

    @ParameterizedTest
    @EnumSource
    void aClientWithoutACertificateIsToldThatItNeedsOne(Place place) {
        assertThat(alert(place, null, PeerIdentity.serverName(SERVER))).contains("certificate_required");
    }

    @ParameterizedTest
    @EnumSource
    void oneOfAnotherMeshThatNobodyKnowsItsAuthority(Place place) {
        assertThat(alert(place, stranger(), PeerIdentity.serverName(SERVER))).contains("unknown_ca");
    }

    @ParameterizedTest
    @EnumSource
    void oneThatHasExpiredThatItHas(Place place) {
        Credentials expired =
                TestMesh.issue(mesh.ca(), CLIENT, Duration.ofSeconds(-1)).credentials();
        assertThat(alert(place, expired, PeerIdentity.serverName(SERVER))).contains("certificate_expired");
    }

    @ParameterizedTest
    @EnumSource
    void oneThatNamesNoMemberThatItsCertificateIsBad(Place place) {
        Credentials nameless = mesh.ca().issueServer(List.of("client.example"), List.of(), AN_HOUR);
        assertThat(alert(place, nameless, PeerIdentity.serverName(SERVER))).contains("bad_certificate");
    }

    @Test
    void oneThatAsksForSomebodyElseThatNobodyHasThatName() {
        assertThat(alert(Place.OWN_PORT, mesh.credentials(CLIENT), "other.example"))
                .contains("unrecognized_name");
    }

    @Test
    void theAlertIsNotOvertakenByAResetForWhatTheClientHasSentMeanwhile() throws IOException {
        Proxy proxy = start(Place.OWN_PORT);
        try (PeerProxy peer = connect(proxy, null, PeerIdentity.serverName(SERVER))) {
            // Of TLS 1.3 the client's half is over, whatever comes of the other; what it sends now nobody reads.
            peer.send(new byte[1 << 20]);
            assertThatThrownBy(() -> peer.read(1)).hasMessageContaining("certificate_required");
        }
    }

    @Test
    void whoReadsNoAlertIsNotWaitedForLong() throws IOException {
        Proxy proxy = start(Place.OWN_PORT);
        try (PeerProxy _ = connect(proxy, null, PeerIdentity.serverName(SERVER))) {
            await().until(() -> proxy.machinery().sessions().count() == 0);
        }
    }

    @Test
    void aServerOfAnotherMeshIsToldThatNobodyKnowsItsAuthority() throws Exception {
        assertThat(alertTo(stranger())).contains("unknown_ca");
    }

    @Test
    void aServerThatNamesNoMemberIsToldThatItsCertificateIsBad() throws Exception {
        assertThat(alertTo(mesh.ca().issueServer(List.of("server.example"), List.of(), AN_HOUR)))
                .contains("bad_certificate");
    }

    @Test
    void soIsAServerOutsideTheMeshWithoutTheNameThatItIsAskedForBy() throws Exception {
        Credentials other = mesh.ca().issueServer(List.of("other.example"), List.of(), AN_HOUR);
        assertThat(alertOutside(other)).contains("bad_certificate");
    }

    @Test
    void aServerOutsideTheMeshIsToldThatNobodyKnowsItsAuthority() throws Exception {
        assertThat(alertOutside(TestMesh.authority().issueServer(List.of("db.example"), List.of(), AN_HOUR)))
                .contains("unknown_ca");
    }

    @Test
    void aServerThatTalksOnHearsTheAlertToo() throws Exception {
        CompletableFuture<String> heard = new CompletableFuture<>();
        try (Server babbler = Server.that(socket -> {
                    int _ = socket.getInputStream().read();
                    // A record of a handshake in which nothing is right, and then no records at all.
                    socket.getOutputStream().write(new byte[] {0x16, 3, 3, 0, 4, 9, 0, 0, 0});
                    socket.getOutputStream().write(new byte[8 << 20]);
                    heard.complete(new String(socket.getInputStream().readAllBytes(), ISO_8859_1));
                });
                Client _ = Client.to(mesh.start(
                                        CLIENT,
                                        config(
                                                List.of(outbound("app", declared(Protocol.OPAQUE))),
                                                cluster(
                                                        "app",
                                                        meshed(
                                                                1,
                                                                new InetSocketAddress(loopback(), babbler.port()),
                                                                SERVER))))
                                .address("outbound"))
                        .send("x")) {
            // A fatal alert, after the rest of the ClientHello.
            assertThat(heard.get(10, TimeUnit.SECONDS)).containsPattern("(?s)\\x15\\x03.\\x00\\x02\\x02");
        }
    }

    private Credentials stranger() {
        return TestMesh.issue(TestMesh.authority(), CLIENT, AN_HOUR).credentials();
    }

    private Proxy start(Place place) {
        ListenerConfig listener = switch (place) {
            case OWN_PORT -> inbound(Map.of(), strict(Protocol.DETECT));
            case APPLICATION_PORT -> redirected(1, strict(Protocol.DETECT));
        };
        return mesh.start(SERVER, config(List.of(listener)));
    }

    private static PeerProxy connect(Proxy proxy, @Nullable Credentials shown, String name) throws IOException {
        String listener = proxy.config().listeners().getFirst().name();
        return PeerProxy.connect(proxy.address(listener), shown, name, ConnectionHeader.ALPN, "h2");
    }

    private String alert(Place place, @Nullable Credentials shown, String name) {
        Proxy proxy = start(place);
        try (PeerProxy peer = connect(proxy, shown, name)) {
            return "none: " + peer.readAll();
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private String alertTo(Credentials shown) throws Exception {
        return alertFrom(shown, at -> meshed(1, at, SERVER));
    }

    private String alertOutside(Credentials shown) throws Exception {
        var expected = new UpstreamTls("db.example", List.of(mesh.ca().certificate()), List.of(), List.of(), null);
        return alertFrom(shown, at -> new Endpoint(at, null, expected));
    }

    private interface Dialled {
        Endpoint at(InetSocketAddress address);
    }

    /** What a server with this certificate hears from a proxy that dials it. */
    private String alertFrom(Credentials shown, Dialled dialled) throws Exception {
        try (SSLServerSocket socket = (SSLServerSocket)
                PeerProxy.context(shown).getServerSocketFactory().createServerSocket(0, 10, loopback())) {
            CompletableFuture<String> heard = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> heard.complete(heard(socket)));
            Proxy proxy = mesh.start(
                    CLIENT,
                    config(
                            List.of(outbound("app", declared(Protocol.OPAQUE))),
                            cluster("app", dialled.at((InetSocketAddress) socket.getLocalSocketAddress()))));
            try (Client _ = Client.to(proxy.address("outbound")).send("x")) {
                return heard.get(10, TimeUnit.SECONDS);
            }
        }
    }

    private static String heard(SSLServerSocket server) {
        try (SSLSocket socket = (SSLSocket) server.accept()) {
            socket.startHandshake();
            return "none: " + socket.getInputStream().read();
        } catch (SSLException e) {
            return String.valueOf(e.getMessage());
        } catch (IOException e) {
            return e.toString();
        }
    }
}
