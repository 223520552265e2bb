package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.TIMEOUTS;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.open;
import static io.parley.proxy.app.TestMesh.redirected;
import static io.parley.proxy.app.TestMesh.strict;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parley.agreement.port.PortSet;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.Application;
import io.parley.proxy.config.Authorization;
import io.parley.proxy.config.Authorization.Strangers;
import io.parley.proxy.Direction;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.ConnectionHeader.Stage;
import io.parley.wire.header.HeaderMagic;
import io.parley.wire.header.SessionProtocol;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the inbound port makes of other proxies, good and bad. Numbers are those of the fact sheet's cases. */
class FromProxyTest {
    private static final String NAME = PeerIdentity.serverName(SERVER);
    private static final String ALPN = ConnectionHeader.ALPN;

    private final TestMesh mesh = new TestMesh();
    private Server server;
    private Proxy proxy;

    @BeforeEach
    void start() throws IOException {
        server = Server.greeting("hi");
        proxy = mesh.start(SERVER, config(List.of(inbound(Map.of(), strict(Protocol.DETECT)))));
    }

    @AfterEach
    void close() throws IOException {
        mesh.close();
        server.close();
    }

    @Test
    void case8_aHeaderThatEndsTooEarlyIsClosedAndNothingIsDialled() throws IOException {
        byte[] header = PeerProxy.bytes(ConnectionHeader.toPort(server.port(), null), "");
        try (PeerProxy peer = connect(ALPN)) {
            peer.send(Arrays.copyOf(header, 26)).socket().shutdownOutput();
            assertThat(peer.isCutOff()).isTrue();
        }
        assertRefused("no-header");
    }

    @Test
    void case9_afterTheHeaderWasAgreedOnNothingElseWillDo() throws IOException {
        try (PeerProxy peer = connect(ALPN)) {
            assertThat(peer.send("GET / HTTP/1.1\r\n\r\n".getBytes(ISO_8859_1)).isCutOff())
                    .isTrue();
        }
        assertRefused("no-header");
    }

    @Test
    void case11_aMessageThatIsCutOffIsClosed() throws IOException {
        byte[] header =
                PeerProxy.bytes(ConnectionHeader.toName("mysql.default.svc.cluster.local", server.port(), null), "");
        try (PeerProxy peer = connect(ALPN)) {
            peer.send(Arrays.copyOf(header, 32)).socket().shutdownOutput();
            assertThat(peer.isCutOff()).isTrue();
        }
        assertRefused("no-header");
    }

    @Test
    void case12_aMalformedHeaderIsClosed() throws IOException {
        byte[] header = PeerProxy.bytes(ConnectionHeader.toPort(80, null), "");
        header[header.length - 1] = 0;
        try (PeerProxy peer = connect(ALPN)) {
            assertThat(peer.send(header).isCutOff()).isTrue();
        }
        assertRefused("bad-header");
    }

    @Test
    void case16_aHeaderThatNamesAPortOfTheProxyIsALoop() throws IOException {
        int own = proxy.address("inbound").getPort();
        try (PeerProxy peer = connect(ALPN)) {
            assertThat(peer.send(PeerProxy.bytes(ConnectionHeader.toPort(own, null), ""))
                            .isCutOff())
                    .isTrue();
        }
        assertRefused("loop");
    }

    @Test
    void case16_soIsOneThatNamesAnotherPortOfTheProxy() throws IOException {
        Proxy both = mesh.start(
                SERVER,
                config(
                        List.of(
                                inbound(Map.of(), strict(Protocol.DETECT)),
                                TestMesh.outbound("app", TestMesh.declared(Protocol.OPAQUE))),
                        TestMesh.cluster("app", TestMesh.plain(server.port()))));
        byte[] header =
                PeerProxy.bytes(ConnectionHeader.toPort(both.address("outbound").getPort(), null), "");
        try (PeerProxy peer = PeerProxy.connect(both.address("inbound"), mesh.credentials(CLIENT), NAME, ALPN)) {
            assertThat(peer.send(header).isCutOff()).isTrue();
        }
        assertRefused("loop");
    }

    @Test
    void case16_theSamePortOnAnotherAddressIsNoLoop() throws IOException {
        InetAddress elsewhere = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
        InboundPort members = strict(Protocol.DETECT);
        Proxy here = mesh.start(
                SERVER,
                config(List.of(inbound(new Routing.ToApplication(
                        Map.of(), PortSet.EMPTY, members, members, Application.at(elsewhere), Map.of(), Set.of())))));
        int port = here.address("inbound").getPort();
        byte[] header = PeerProxy.bytes(ConnectionHeader.toPort(port, null), "");
        try (ServerSocket application = new ServerSocket(port, 1, elsewhere);
                PeerProxy peer = PeerProxy.connect(here.address("inbound"), mesh.credentials(CLIENT), NAME, ALPN)) {
            peer.send(header);
            try (Socket accepted = application.accept()) {
                accepted.getOutputStream().write("hi".getBytes(ISO_8859_1));
                assertThat(peer.read(2)).isEqualTo("hi");
            }
        }
    }

    @Test
    void case17_aHeaderThatDoesNotComeIsWaitedForAndNoLonger() throws IOException {
        try (PeerProxy peer = connect(ALPN)) {
            assertThat(peer.isCutOff()).isTrue();
        }
        assertRefused("header-timeout");
        long lasted = mesh.over(Direction.INBOUND).accepted().at();
        assertThat(System.nanoTime() - lasted)
                .isGreaterThan(Duration.ofSeconds(2).toNanos());
    }

    @Test
    void case18_aPeerWithoutACertificateIsRefused() {
        assertThatThrownBy(() -> {
                    try (PeerProxy peer = PeerProxy.connect(proxy.address("inbound"), null, NAME, ALPN)) {
                        // With TLS 1.3 the client learns of it only when it reads.
                        assertThat(peer.socket().getInputStream().read()).isNegative();
                    }
                })
                .isInstanceOf(IOException.class);
        assertRefused("tls-handshake");
    }

    @Test
    void aPeerOfAForeignAuthorityIsRefused() {
        var foreign = new TestMesh();
        assertThatThrownBy(() -> {
                    try (PeerProxy peer =
                            PeerProxy.connect(proxy.address("inbound"), foreign.credentials(CLIENT), NAME, ALPN)) {
                        assertThat(peer.socket().getInputStream().read()).isNegative();
                    }
                })
                .isInstanceOf(IOException.class);
        assertRefused("tls-handshake");
    }

    @Test
    void case19_withoutAgreementAndWithoutAHeaderNothingSaysWhichPort() throws IOException {
        try (PeerProxy peer = connect()) {
            assertThat(peer.send("hello, is this MySQL?".getBytes(ISO_8859_1)).isCutOff())
                    .isTrue();
        }
        assertRefused("no-header");
    }

    @Test
    void theDocumentsHeaderIsRecognisedWithoutAgreement() throws IOException {
        var header = new ConnectionHeader(HeaderMagic.DOCUMENT, server.port(), null, null, Stage.SETTLED);
        try (PeerProxy peer = connect()) {
            assertThat(peer.send(PeerProxy.bytes(header, "")).read(2)).isEqualTo("hi");
            assertThat(peer.send("abc".getBytes(ISO_8859_1)).read(3)).isEqualTo("abc");
        }
        assertThat(mesh.decision(Direction.INBOUND)).isEqualTo("opaque by server-spoke-first");
    }

    @Test
    void theDocumentsHeaderWithAnUnsetPortAsksForAGatewayWhichThisProxyIsNot() throws IOException {
        var header = new ConnectionHeader(HeaderMagic.DOCUMENT, 0, null, null, Stage.SETTLED);
        try (PeerProxy peer = connect()) {
            assertThat(peer.send(PeerProxy.bytes(header, "")).isCutOff()).isTrue();
        }
        assertRefused("gateway-without-name");
    }

    @Test
    void case20_aForeignServerNameIsRefusedOnTheProxysPort() {
        assertThatThrownBy(() -> {
                    try (PeerProxy _ =
                            PeerProxy.connect(proxy.address("inbound"), mesh.credentials(CLIENT), "www.example.com")) {
                        throw new AssertionError("the handshake must not succeed");
                    }
                })
                .isInstanceOf(IOException.class);
        assertRefused("foreign-server-name");
    }

    @Test
    void plainTextIsRefusedOnTheProxysPort() throws IOException {
        try (Client client = Client.to(proxy.address("inbound"))) {
            assertThatThrownBy(() -> client.send("GET / HTTP/1.1\r\n\r\n").read(1))
                    .isInstanceOf(IOException.class);
        }
        assertRefused("not-mutual-tls");
    }

    @Test
    void case20_aForeignServerNameIsPassedOnUntouchedOnAPortOfTheApplication() throws IOException {
        try (Server echo = Server.echo()) {
            Proxy other = mesh.start(SERVER, config(List.of(redirected(echo.port(), open(Protocol.DETECT)))));
            byte[] hello = io.netty.buffer.ByteBufUtil.getBytes(Hello.forName("www.example.com"));
            try (Client client = Client.to(other.address("redirected"))) {
                assertThat(client.send(hello).read(hello.length)).isEqualTo(new String(hello, ISO_8859_1));
            }
            assertThat(mesh.decision(Direction.INBOUND)).isEqualTo("tls by detected");
        }
    }

    @Test
    void ownServerNameOnAPortOfTheApplicationIsTerminated() throws IOException {
        try (Server echo = Server.echo()) {
            Proxy other = mesh.start(SERVER, config(List.of(redirected(echo.port(), strict(Protocol.DETECT)))));
            try (PeerProxy peer = PeerProxy.connect(other.address("redirected"), mesh.credentials(CLIENT), NAME)) {
                assertThat(peer.send("*1\r\n$4\r\nPING\r\n".getBytes(ISO_8859_1))
                                .read(14))
                        .isEqualTo("*1\r\n$4\r\nPING\r\n");
            }
            assertThat(mesh.agreed(Direction.INBOUND).peer()).isEqualTo(CLIENT);
        }
    }

    @Test
    void case21_whatFollowsTheHeaderInTheSameRecordIsTheApplications() throws IOException {
        try (Server echo = Server.echo();
                PeerProxy peer = connect(ALPN)) {
            assertThat(peer.send(PeerProxy.bytes(ConnectionHeader.toPort(echo.port(), null), "12345"))
                            .read(5))
                    .isEqualTo("12345");
        }
        assertThat(mesh.decision(Direction.INBOUND)).isEqualTo("opaque by connection-header");
    }

    @Test
    void case7_aHeaderThatComesByteByByteIsRead() throws IOException {
        try (Server echo = Server.echo();
                PeerProxy peer = connect(ALPN)) {
            for (byte b : PeerProxy.bytes(
                    ConnectionHeader.toPort(echo.port(), SessionProtocol.HTTP1), "GET / HTTP/1.1\r\nhost: a\r\n\r\n")) {
                peer.send(new byte[] {b});
            }
            assertThat(peer.read(15)).isEqualTo("HTTP/1.1 200 OK");
        }
        assertThat(mesh.decision(Direction.INBOUND)).isEqualTo("http1 by connection-header");
    }

    @Test
    void case22_aServerThatSpeaksFirstIsHeardAtOnce() throws IOException {
        try (PeerProxy peer = connect(ALPN)) {
            assertThat(peer.send(PeerProxy.bytes(ConnectionHeader.toPort(server.port(), null), ""))
                            .read(2))
                    .isEqualTo("hi");
        }
        assertThat(mesh.decision(Direction.INBOUND))
                .as("by the header alone, so that nothing is waited for")
                .isEqualTo("opaque by connection-header");
        assertThat(proxy.machinery().telemetry().render()).doesNotContain("inbound_tcp_detect_http_results_total{");
    }

    @Test
    void aPortDeclaredHttpTakesNoOpaqueStream() throws IOException {
        Proxy http = mesh.start(
                SERVER,
                config(List.of(inbound(Map.of(server.port(), strict(Protocol.HTTP1)), strict(Protocol.DETECT)))));
        try (PeerProxy peer = PeerProxy.connect(http.address("inbound"), mesh.credentials(CLIENT), NAME, ALPN)) {
            assertThat(peer.send(PeerProxy.bytes(ConnectionHeader.toPort(server.port(), null), ""))
                            .isCutOff())
                    .isTrue();
        }
        assertRefused("protocol-mismatch");
    }

    @Test
    void thePolicyOfTheNamedPortDecidesWhoMay() throws IOException {
        SpiffeId friend = SpiffeId.parse("spiffe://mesh.test/ns/default/sa/friend");
        InboundPort guarded = new InboundPort(
                TestMesh.declared(Protocol.OPAQUE), new Authorization(Strangers.REFUSED, Set.of(friend), Set.of()));
        Proxy strict =
                mesh.start(SERVER, config(List.of(inbound(Map.of(server.port(), guarded), strict(Protocol.DETECT)))));
        byte[] header = PeerProxy.bytes(ConnectionHeader.toPort(server.port(), null), "");
        try (PeerProxy peer = PeerProxy.connect(strict.address("inbound"), mesh.credentials(friend), NAME, ALPN)) {
            assertThat(peer.send(header).read(2)).isEqualTo("hi");
        }
        try (PeerProxy peer = PeerProxy.connect(strict.address("inbound"), mesh.credentials(CLIENT), NAME, ALPN)) {
            assertThat(peer.send(header).isCutOff()).isTrue();
        }
        assertThat(server.accepted()).isEqualTo(1);
    }

    private PeerProxy connect(String... alpn) throws IOException {
        return PeerProxy.connect(proxy.address("inbound"), mesh.credentials(CLIENT), NAME, alpn);
    }

    private void assertRefused(String cause) {
        assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo(cause);
        assertThat(server.accepted()).isZero();
    }

    /** It may be about to ask by HTTP, in which it could be told; it is not waited for as long as for somebody who may come in. */
    @Test
    void aSilentMemberThatMayNotComeInIsNotKeptWaiting() throws IOException {
        Timeouts timeouts = new Timeouts(
                TIMEOUTS.serverFirstGrace(),
                Duration.ofHours(1),
                TIMEOUTS.partial(),
                TIMEOUTS.header(),
                TIMEOUTS.handshake(),
                TIMEOUTS.connect(),
                TIMEOUTS.idle(),
                TIMEOUTS.drain());
        InboundPort guarded = new InboundPort(
                Routing.undeclared(), new Authorization(Strangers.REFUSED, Set.of(TestMesh.GATEWAY), Set.of()));
        proxy.apply(config(timeouts, List.of(inbound(Map.of(server.port(), guarded), strict(Protocol.DETECT)))));
        ConnectionHeader undecided =
                new ConnectionHeader(HeaderMagic.SHIPPED, server.port(), null, null, Stage.UNDECIDED);
        try (PeerProxy peer = connect(ALPN)) {
            peer.send(PeerProxy.bytes(undecided, ""));
            assertThat(peer.isCutOff()).isTrue();
        }
        assertRefused("denied");
    }
}
