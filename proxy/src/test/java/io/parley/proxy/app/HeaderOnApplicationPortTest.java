package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.redirected;
import static io.parley.proxy.app.TestMesh.strict;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.config.Direction;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.ConnectionHeader.Stage;
import io.parley.wire.header.HeaderMagic;
import io.parley.wire.header.SessionProtocol;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
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
        // The document leaves it to the receiver to find out; the shipped form without a protocol says opaque.
        assertThat(mesh.decision(Direction.INBOUND))
                .isEqualTo(magic == HeaderMagic.DOCUMENT ? "opaque by detected" : "opaque by connection-header");
    }

    @Test
    void aProtocolInTheHeaderIsBelieved() throws IOException {
        try (PeerProxy peer = connect(Protocol.DETECT)) {
            var header = new ConnectionHeader(
                    HeaderMagic.DOCUMENT, server.port(), null, SessionProtocol.HTTP1, Stage.SETTLED);
            byte[] request = PeerProxy.bytes(header, "GET / HTTP/1.1\r\nhost: a\r\n\r\n");
            assertThat(peer.send(request).read(15)).isEqualTo("HTTP/1.1 200 OK");
        }
        assertThat(mesh.decision(Direction.INBOUND)).isEqualTo("http1 by connection-header");
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
