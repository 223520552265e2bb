package io.parley.proxy.http2;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.open;
import static io.parley.proxy.app.TestMesh.redirected;
import static io.parley.proxy.app.TestMesh.strict;
import static io.parley.proxy.http2.FramePeer.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http2.Http2Error;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.PeerProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.Forwarding;
import io.parley.proxy.http1.RecordingServer;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.SessionProtocol;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fields that tell where a request came from count only from members of the mesh (case 32). */
class OriginFieldsTest {
    private static final List<String> FORGED = List.of(
            "x-forwarded-for",
            "x-forwarded-proto",
            "x-forwarded-host",
            "x-forwarded-port",
            "x-forwarded-client-cert",
            "forwarded",
            "x-real-ip",
            "l5d-client-id",
            "x-envoy-external-address");
    private static final String MARK = "9.9.9.9";

    /** Asks in this version, with everything forged, and returns what the server saw. */
    private static String seen(RecordingServer server, InetSocketAddress proxy, Version version, boolean nominate)
            throws IOException {
        if (version == Version.HTTP2) {
            try (FramePeer client = FramePeer.client(proxy)) {
                List<String> fields = new ArrayList<>();
                FORGED.forEach(name -> fields.addAll(List.of(name, MARK)));
                client.open(1, LAST, "GET", "/", fields.toArray(String[]::new));
                assertThat(client.message(1).status()).isEqualTo("200");
            }
        } else {
            try (Client client = Client.to(proxy)) {
                StringBuilder head = new StringBuilder("GET / HTTP/1.1\r\nHost: x\r\n");
                FORGED.forEach(
                        name -> head.append(name.toUpperCase(Locale.ROOT)).append(": " + MARK + "\r\n"));
                head.append(nominate ? "Connection: close, X-Forwarded-For\r\n\r\n" : "Connection: close\r\n\r\n");
                assertThat(client.send(head.toString()).readAll()).startsWith("HTTP/1.1 200");
            }
        }
        return server.requests().getLast().toLowerCase(Locale.ROOT);
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP1", "HTTP2"})
    void c32_aStrangerIsNotBelievedByAnApplicationsProxy(Version version) throws IOException {
        Protocol protocol = version == Version.HTTP2 ? Protocol.HTTP2 : Protocol.HTTP1;
        try (RecordingServer server = RecordingServer.ok();
                TestMesh mesh = new TestMesh()) {
            // An application that speaks HTTP/1 is asked in the version in which the client asks.
            if (version == Version.HTTP1) {
                InetSocketAddress address = mesh.start(
                                SERVER, config(List.of(redirected(server.port(), open(protocol)))))
                        .address("redirected");
                assertThat(seen(server, address, version, false)).doesNotContain(MARK);
            } else {
                assertThat(seenOverHttp2(mesh)).doesNotContain(MARK);
            }
        }
    }

    private static String seenOverHttp2(TestMesh mesh) throws IOException {
        List<String> heads = new ArrayList<>();
        try (Server server = FramePeer.server(peer -> {
            int stream = peer.request();
            heads.add(peer.message(stream).head().toString());
            peer.headers(stream, LAST, ":status", "200");
            peer.drain();
        })) {
            InetSocketAddress address = mesh.start(
                            SERVER, config(List.of(redirected(server.port(), open(Protocol.HTTP2)))))
                    .address("redirected");
            try (FramePeer client = FramePeer.client(address)) {
                List<String> fields = new ArrayList<>();
                FORGED.forEach(name -> fields.addAll(List.of(name, MARK)));
                client.open(1, LAST, "GET", "/", fields.toArray(String[]::new));
                assertThat(client.message(1).status()).isEqualTo("200");
            }
        }
        return heads.getFirst();
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP1", "HTTP2"})
    void c32_aStrangerIsNotBelievedAtTheEdge(Version version) throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.with(
                        HttpConfig.simple("edge", "app", Forwarding.EDGE),
                        HttpProxy.cluster("app", Version.HTTP1, server.port()))) {
            assertThat(seen(server, proxy.address(), version, true))
                    .doesNotContain(MARK)
                    .contains("x-forwarded-for: 127.0.0.1\r\n", "x-forwarded-proto: http\r\n");
        }
    }

    /** Applications that come from another mesh take the caller's name from them. */
    @ParameterizedTest
    @EnumSource(names = {"HTTP1", "HTTP2"})
    void nobodyIsBelievedWhoSaysWhatItsCertificateIs(Version version) throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1)) {
            assertThat(seen(server, proxy.address(), version, false))
                    .contains("x-forwarded-for: " + MARK)
                    .doesNotContain("x-forwarded-client-cert", "l5d-client-id");
        }
    }

    /** A server that sets cookies for TLS alone, or redirects to it, must not be led astray. */
    @Test
    void c32_aStrangersWordAboutItsSchemeDoesNotCount() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.with(
                        HttpConfig.simple("edge", "app", Forwarding.EDGE),
                        HttpProxy.cluster("app", Version.HTTP1, server.port()));
                FramePeer client = FramePeer.client(proxy.address())) {
            client.headers(1, LAST, ":method", "GET", ":scheme", "https", ":authority", "x", ":path", "/");
            assertThat(client.message(1).status()).isEqualTo("200");
            assertThat(server.requests().getFirst()).contains("x-forwarded-proto: http\r\n");
            client.headers(3, LAST, ":method", "GET", ":scheme", "javascript", ":authority", "x", ":path", "/");
            assertThat(client.message(3).reset()).isEqualTo(Http2Error.PROTOCOL_ERROR);
            assertThat(server.requests()).hasSize(1);
        }
    }

    /** What the application beside the proxy says of itself is its own business; and hostile nominations strike nothing out. */
    @Test
    void c32_anApplicationIsBelievedWhateverItsConnectionFieldSays() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1)) {
            assertThat(seen(server, proxy.address(), Version.HTTP1, true)).contains("x-forwarded-for: " + MARK);
        }
    }

    /** One link carries the requests of all clients behind a member: what counts is the share that is called off. */
    @Test
    void a1_aMemberMayCallOffManyRequestsButNotMostOfThem() throws IOException {
        try (Server server = FramePeer.echo();
                TestMesh mesh = new TestMesh()) {
            Proxy proxy = mesh.start(SERVER, config(List.of(inbound(Map.of(), strict(Protocol.HTTP2)))));
            try (FramePeer member = member(mesh, proxy, server.port())) {
                for (int i = 0; i < 700; i++) {
                    // Two answered for one that is called off.
                    member.get(6 * i + 1, "/");
                    member.message(6 * i + 1);
                    member.get(6 * i + 3, "/");
                    member.message(6 * i + 3);
                    member.open(6 * i + 5, 0, "POST", "/");
                    member.reset(6 * i + 5, Http2Error.CANCEL);
                }
                member.get(6_001, "/last");
                assertThat(member.message(6_001).text()).isEqualTo("GET /last ");
            }
            try (FramePeer member = member(mesh, proxy, server.port())) {
                Thread flood = Thread.ofVirtual().start(() -> flood(member));
                assertThat(member.farewell()).isIn(Http2Error.ENHANCE_YOUR_CALM, null);
                await().until(() -> !flood.isAlive());
            }
            await().until(() -> proxy.machinery()
                    .telemetry()
                    .render()
                    .contains("http_abuse_total{direction=\"inbound\",kind=\"rapid-reset\"} 1"));
        }
    }

    private static void flood(FramePeer member) {
        try {
            for (int i = 0; i < 10_000; i++) {
                member.open(2 * i + 1, 0, "POST", "/");
                member.reset(2 * i + 1, Http2Error.CANCEL);
            }
        } catch (IOException _) {
            // It has hung up.
        }
    }

    private static FramePeer member(TestMesh mesh, Proxy proxy, int port) throws IOException {
        PeerProxy peer = PeerProxy.connect(
                proxy.address("inbound"),
                mesh.credentials(CLIENT),
                PeerIdentity.serverName(SERVER),
                ConnectionHeader.ALPN);
        peer.send(PeerProxy.bytes(ConnectionHeader.toPort(port, SessionProtocol.HTTP2), ""));
        return FramePeer.on(peer.socket());
    }
}
