package io.parley.proxy.http2;

import static io.netty.handler.codec.http2.Http2CodecUtil.SETTINGS_ENABLE_CONNECT_PROTOCOL;
import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.redirected;
import static io.parley.proxy.http2.FramePeer.LAST;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http2.Http2Headers;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.PeerProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.config.Authorization;
import io.parley.proxy.config.Authorization.Peers;
import io.parley.proxy.config.Authorization.Strangers;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.Forwarding;
import io.parley.proxy.http1.RecordingServer;
import io.parley.proxy.tls.PeerIdentity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The application is told which member of the mesh asks, where it shall be, and is never told what a client says of itself. */
class ToldCallersTest {
    private static final String CERTIFICATE = "By=" + SERVER + ";URI=" + CLIENT;
    private static final String FORGED =
            "X-Forwarded-Client-Cert: By=a;URI=spiffe://forged\r\nL5D-Client-Id: spiffe://forged\r\n";
    private static final String UPGRADE = String.join(
            "\r\n",
            "GET /chat HTTP/1.1",
            "Host: x",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13",
            "");

    private final TestMesh mesh = new TestMesh();

    @AfterEach
    void close() {
        mesh.close();
    }

    @Test
    void byHttp1EachRequestTells() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                PeerProxy peer = member(told(server.port()))) {
            for (String fields : List.of("", FORGED)) {
                ask(peer, "GET /a HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n");
                assertTold(server.requests().getLast());
            }
            assertThat(server.requests()).hasSize(2);
        }
    }

    @Test
    void soDoesOneThatAsksForAWebSocket() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                PeerProxy peer = member(told(server.port()))) {
            peer.send((UPGRADE + FORGED + "\r\n").getBytes(ISO_8859_1));
            await().until(() -> !server.requests().isEmpty());
            assertTold(server.requests().getFirst());
            assertThat(server.requests().getFirst()).containsIgnoringCase("upgrade: websocket\r\n");
        }
    }

    @Test
    void byHttp2TheyTellAsWell() throws IOException, InterruptedException {
        BlockingQueue<Http2Headers> heads = new LinkedBlockingQueue<>();
        try (Server server = FramePeer.server(peer -> answer(peer, heads), SETTINGS_ENABLE_CONNECT_PROTOCOL, 1);
                PeerProxy peer = member(told(server.port()))) {
            FramePeer client = FramePeer.on(peer.socket());
            client.open(1, LAST, "GET", "/", "x-forwarded-client-cert", "a", "l5d-client-id", "a");
            assertThat(client.message(1).status()).isEqualTo("200");
            assertTold(next(heads));
            client.connect(3, "/chat");
            Http2Headers webSocket = next(heads);
            assertTold(webSocket);
            assertThat(webSocket.get(":protocol")).hasToString("websocket");
        }
    }

    private static Http2Headers next(BlockingQueue<Http2Headers> heads) throws InterruptedException {
        return Objects.requireNonNull(heads.poll(15, TimeUnit.SECONDS), "no request came");
    }

    private static void answer(FramePeer peer, BlockingQueue<Http2Headers> heads) throws IOException {
        while (true) {
            int stream = peer.request();
            heads.add(peer.messageSoFar(stream).head());
            peer.headers(stream, LAST, ":status", "200");
        }
    }

    /** There is no certificate to tell of; and bytes in which nothing is to be changed are not. */
    @Test
    void ofAStrangerNothingIsTold() throws IOException {
        String request = "GET /a HTTP/1.1\r\nhOsT:   x\r\n\r\n";
        try (RecordingServer server = RecordingServer.ok();
                Client client = Client.to(told(server.port()))) {
            assertThat(client.send(request).read(15)).isEqualTo("HTTP/1.1 200 OK");
            assertThat(server.requests().getFirst()).isEqualTo(request);
        }
        try (RecordingServer server = RecordingServer.ok();
                Client client = Client.to(told(server.port()))) {
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n" + FORGED + "\r\n").read(15);
            assertThat(server.requests().getFirst()).doesNotContainIgnoringCase("client");
        }
    }

    @Test
    void whereNothingIsSaidAboutItAMembersBytesPassAsTheyAre() throws IOException {
        String request = "GET /a HTTP/1.1\r\nhOsT:   x\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n";
        try (RecordingServer server = RecordingServer.ok();
                PeerProxy peer = member(listening(server.port(), null))) {
            ask(peer, request);
            assertThat(server.requests().getFirst()).isEqualTo(request);
        }
    }

    private static void ask(PeerProxy peer, String request) throws IOException {
        String answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        assertThat(peer.send(request.getBytes(ISO_8859_1)).read(answer.length()))
                .isEqualTo(answer);
    }

    private static void assertTold(String request) {
        assertThat(request)
                .contains("x-forwarded-client-cert: " + CERTIFICATE + "\r\n")
                .contains("l5d-client-id: " + CLIENT + "\r\n")
                .doesNotContain("forged");
    }

    private static void assertTold(Http2Headers request) {
        assertThat(request.getAll("x-forwarded-client-cert"))
                .map(String::valueOf)
                .containsExactly(CERTIFICATE);
        assertThat(request.getAll("l5d-client-id")).map(String::valueOf).containsExactly(CLIENT.toString());
    }

    private PeerProxy member(InetSocketAddress proxy) throws IOException {
        return PeerProxy.connect(proxy, mesh.credentials(CLIENT), PeerIdentity.serverName(SERVER));
    }

    private InetSocketAddress told(int application) {
        return listening(application, HttpConfig.simple("way", "", Forwarding.FROM_NAMED_MEMBERS));
    }

    private InetSocketAddress listening(int application, @Nullable HttpConfig http) {
        InboundPort port = new InboundPort(
                declared(Protocol.DETECT), new Authorization(Strangers.ALLOWED, Peers.ALL, Peers.NONE), http);
        return mesh.start(SERVER, config(List.of(redirected(application, port))))
                .address("redirected");
    }
}
