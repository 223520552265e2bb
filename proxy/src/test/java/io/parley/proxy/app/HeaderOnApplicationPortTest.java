package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.loopback;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.redirected;
import static io.parley.proxy.app.TestMesh.strict;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.Direction;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.http.AccessRules;
import io.parley.proxy.http.AccessRules.AccessPolicy;
import io.parley.proxy.http.AccessRules.Condition;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.ConnectionHeader.Stage;
import io.parley.wire.header.HeaderMagic;
import io.parley.wire.header.SessionProtocol;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connection headers inside mutual TLS to a port of the application, where nobody agreed on one: known by their magic. */
class HeaderOnApplicationPortTest {
    private static final String PING = "*1\r\n$4\r\nPING\r\n";

    private final TestMesh mesh = new TestMesh();
    private Server server;

    @BeforeEach
    void start() throws IOException {
        server = Server.echo();
    }

    @AfterEach
    void close() throws IOException {
        mesh.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    void theApplicationGetsWhatFollowsAHeaderAndNoneOfIt(HeaderMagic magic) throws IOException {
        try (PeerProxy peer = connect(Protocol.DETECT)) {
            assertThat(peer.send(bytes(magic, server.port(), null, PING)).read(PING.length()))
                    .isEqualTo(PING);
        }
        assertThat(mesh.decision(Direction.INBOUND)).isEqualTo("opaque by detected");
    }

    @Test
    void aProtocolInTheHeaderIsNotBelieved() throws IOException {
        try (PeerProxy peer = connect(Protocol.DETECT)) {
            var header = new ConnectionHeader(
                    HeaderMagic.DOCUMENT, server.port(), null, SessionProtocol.HTTP1, Stage.SETTLED);
            assertThat(peer.send(PeerProxy.bytes(header, PING)).read(PING.length()))
                    .isEqualTo(PING);
        }
        assertThat(mesh.decision(Direction.INBOUND)).isEqualTo("opaque by detected");
    }

    /** Its proxy takes them together for opaque bytes, and passes them on as the first ones inside its mutual TLS. */
    @ParameterizedTest
    @EnumSource
    void aHeaderThatTheApplicationWritesBeforeItsRequestDoesNotKeepPolicyFromIt(HeaderMagic magic) throws IOException {
        Proxy inbound = mesh.start(
                SERVER,
                config(
                        List.of(redirected(server.port(), forbidding())),
                        HttpProxy.cluster("app", Version.HTTP1, server.port())));
        Proxy outbound = mesh.start(
                CLIENT,
                config(
                        List.of(outbound("service", declared(Protocol.DETECT))),
                        cluster("service", withoutHeader(inbound.address("redirected")))));
        try (Client client = Client.to(outbound.address("outbound"))) {
            client.send(bytes(magic, server.port(), null, "GET /admin HTTP/1.1\r\nhost: a\r\n\r\n"));
            assertThat(client.read(12)).isEqualTo("HTTP/1.1 403");
        }
        assertThat(mesh.decision(Direction.OUTBOUND)).isEqualTo("opaque by detected");
        assertThat(mesh.decision(Direction.INBOUND)).isEqualTo("http1 by detected");
    }

    /** A port for members of the mesh, none of whom may ask it for anything. */
    private static InboundPort forbidding() {
        AccessRules nobody = new AccessRules(
                AccessRules.Effect.DENY,
                List.of(new AccessPolicy("p", List.of(new Condition.Any()), List.of(new Condition.Any()))),
                AccessRules.Mode.ENFORCED);
        Route route = new Route(
                "r",
                RequestMatch.ANY,
                RouteAction.Forward.to("app"),
                FieldEdits.NONE,
                FieldEdits.NONE,
                new Policies(null, null, Map.of("rbac", List.of(nobody)), null));
        InboundPort members = strict(Protocol.DETECT);
        return new InboundPort(members.declared(), members.authorization(), HttpProxy.routed(List.of(route)));
    }

    /** A member of the mesh whose port itself is dialled. */
    private Endpoint withoutHeader(InetSocketAddress port) {
        return new Endpoint(
                new InetSocketAddress(loopback(), server.port()),
                new Endpoint.Mesh(port, SERVER, PeerIdentity.serverName(SERVER), null, null, Protocol.DETECT));
    }

    @Test
    void whoSendsNoHeaderIsListenedToAsEver() throws IOException {
        try (PeerProxy peer = connect(Protocol.DETECT)) {
            assertThat(peer.send("l5d.example".getBytes(ISO_8859_1)).read(11)).isEqualTo("l5d.example");
        }
        assertThat(mesh.decision(Direction.INBOUND)).isEqualTo("opaque by detected");
    }

    @Test
    void theSilentHearTheServerAfterTheirHeader() throws IOException {
        try (Server greeting = Server.greeting("hi")) {
            var proxy = mesh.start(SERVER, config(List.of(redirected(greeting.port(), strict(Protocol.DETECT)))));
            try (PeerProxy peer = PeerProxy.connect(
                    proxy.address("redirected"), mesh.credentials(CLIENT), PeerIdentity.serverName(SERVER))) {
                assertThat(peer.send(bytes(HeaderMagic.DOCUMENT, greeting.port(), null, ""))
                                .read(2))
                        .isEqualTo("hi");
            }
            assertThat(mesh.decision(Direction.INBOUND)).isEqualTo("opaque by server-spoke-first");
        }
    }

    @Test
    void aHeaderForAnotherPortOrANameIsRefused() throws IOException {
        try (PeerProxy peer = connect(Protocol.DETECT)) {
            assertThat(peer.send(bytes(HeaderMagic.DOCUMENT, server.port() - 1, null, PING))
                            .isCutOff())
                    .isTrue();
        }
        assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("unexpected-header");
        mesh.ended().clear();
        try (PeerProxy peer = connect(Protocol.DETECT)) {
            assertThat(peer.send(bytes(HeaderMagic.DOCUMENT, server.port(), "db.example", PING))
                            .isCutOff())
                    .isTrue();
        }
        assertThat(mesh.ending(Direction.INBOUND).detail())
                .isEqualTo("a connection header for db.example:" + server.port() + " on port " + server.port());
    }

    @Test
    void aMalformedOneIsRefused() throws IOException {
        byte[] header = bytes(HeaderMagic.DOCUMENT, server.port(), null, "");
        Arrays.fill(header, 12, 16, (byte) 0xff);
        try (PeerProxy peer = connect(Protocol.DETECT)) {
            assertThat(peer.send(header).isCutOff()).isTrue();
        }
        assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("bad-header");
    }

    /** Opaque bytes are not looked at, whoever sends them: that is what the declaration is for. */
    @Test
    void onAPortDeclaredOpaqueItIsTheApplications() throws IOException {
        byte[] header = bytes(HeaderMagic.DOCUMENT, server.port(), null, "");
        try (PeerProxy peer = connect(Protocol.OPAQUE)) {
            assertThat(peer.send(header).read(header.length)).isEqualTo(new String(header, ISO_8859_1));
        }
    }

    private static byte[] bytes(HeaderMagic magic, int port, @Nullable String name, String after) {
        return PeerProxy.bytes(new ConnectionHeader(magic, port, name, null, Stage.SETTLED), after);
    }

    private PeerProxy connect(Protocol declared) throws IOException {
        var proxy = mesh.start(SERVER, config(List.of(redirected(server.port(), strict(declared)))));
        return PeerProxy.connect(
                proxy.address("redirected"), mesh.credentials(CLIENT), PeerIdentity.serverName(SERVER));
    }
}
