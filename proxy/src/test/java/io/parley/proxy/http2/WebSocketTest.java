package io.parley.proxy.http2;

import static io.netty.handler.codec.http2.Http2CodecUtil.SETTINGS_ENABLE_CONNECT_PROTOCOL;
import static io.parley.proxy.http2.FramePeer.LAST;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.Fault;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.PathMatch;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http1.RecordingServer;
import io.parley.proxy.http1.WebSocketKey;
import io.parley.proxy.http2.FramePeer.Message;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** WebSockets that change their version of HTTP on the way (RFC 8441), and those that nobody agreed to. */
class WebSocketTest {
    private static final String HANDSHAKE = String.join(
            "\r\n",
            "GET /chat HTTP/1.1",
            "Host: x",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13",
            "",
            "");

    @Test
    void crossesFromHttp1ToHttp2() throws IOException {
        CountDownLatch ended = new CountDownLatch(1);
        try (Server server = FramePeer.server(
                        peer -> {
                            serve(peer);
                            ended.countDown();
                            peer.drain();
                        },
                        SETTINGS_ENABLE_CONNECT_PROTOCOL,
                        1);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client before = Client.to(proxy.address());
                Client client = Client.to(proxy.address())) {
            // Once there was an answer, the server's settings were seen, and with them that it takes WebSockets.
            assertThat(before.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").read(15))
                    .isEqualTo("HTTP/1.1 200 OK");
            String answer = client.send(HANDSHAKE).read(129);
            assertThat(answer)
                    .startsWith("HTTP/1.1 101 Switching Protocols\r\n")
                    .contains("sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n")
                    .endsWith("\r\n\r\n");
            assertThat(client.send("\u0000\u0001frame").read(7)).isEqualTo("\u0000\u0001frame");
            assertThat(client.readAll()).isEmpty();
            // Else a hundred of them would fill the connection for good.
            await().until(() -> ended.getCount() == 0);
        }
    }

    private static void serve(FramePeer peer) throws IOException {
        int plain = peer.request();
        peer.headers(plain, LAST, ":status", "200", "content-length", "0");
        int stream = peer.request();
        peer.headers(stream, 0, ":status", "200");
        peer.await(Http2FrameTypes.DATA);
        peer.data(stream, LAST, "\u0000\u0001frame");
        Message request = peer.message(stream);
        assertThat(request.head().get(":protocol")).hasToString("websocket");
        assertThat(request.reset()).isNull();
    }

    /** Else the next answer on its connection would be taken for the rest of this one. */
    @Test
    void anAnswerInsteadOfATunnelThatIsResetIsCutOff() throws IOException {
        try (Server server = taking(peer -> {
                    int stream = peer.request();
                    peer.headers(stream, 0, ":status", "401", "content-length", "1000");
                    peer.data(stream, 0, "x".repeat(100));
                    peer.reset(stream, Http2Error.INTERNAL_ERROR);
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address()).send(HANDSHAKE)) {
            assertThatThrownBy(client::readAll).hasMessageContaining("reset");
            assertThat(proxy.errors("cut-off")).isEqualTo(1);
        }
    }

    private static Server taking(FramePeer.Talk talk) throws IOException {
        return FramePeer.server(talk, SETTINGS_ENABLE_CONNECT_PROTOCOL, 1);
    }

    /** RFC 8441 5: a reset stream is what a reset of the connection is elsewhere. */
    @Test
    void aTunnelThatIsResetDoesNotLookFinished() throws IOException {
        CountDownLatch through = new CountDownLatch(2);
        try (Server server = taking(peer -> {
                    List<Integer> tunnels = List.of(peer.request(), peer.request());
                    for (int tunnel : tunnels) {
                        peer.headers(tunnel, 0, ":status", "200");
                        peer.data(tunnel, 0, "frame");
                    }
                    await().until(() -> through.getCount() == 0);
                    for (int tunnel : tunnels) {
                        peer.reset(tunnel, Http2Error.CANCEL);
                    }
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client one = Client.to(proxy.address()).send(HANDSHAKE);
                FramePeer other = FramePeer.client(proxy.address())) {
            other.connect(1, "/chat");
            assertThat(one.read(134)).endsWith("\r\n\r\nframe");
            through.countDown();
            assertThat(other.await(Http2FrameTypes.DATA).length()).isEqualTo(5);
            through.countDown();
            assertThatThrownBy(one::readAll).hasMessageContaining("reset");
            assertThat(other.message(1).reset()).isEqualTo(Http2Error.CANCEL);
        }
    }

    @Test
    void aClientOfHttp1ThatHasSaidAllStillHearsAServerOfHttp2() throws IOException {
        try (Server server = taking(peer -> {
                    int stream = peer.request();
                    peer.headers(stream, 0, ":status", "200");
                    peer.data(stream, LAST, "you said " + peer.message(stream).text());
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address()).send(HANDSHAKE)) {
            client.read(129);
            assertThat(client.send("bye").finishSending().readAll()).isEqualTo("you said bye");
            await().until(() -> proxy.connections() == 0);
        }
    }

    @Test
    void aStreamThatIsResetIsAConnectionThatIsReset() throws IOException {
        CountDownLatch reset = new CountDownLatch(1);
        try (Server server = Server.that(socket -> {
                    assertThatThrownBy(() -> serve(socket)).hasMessageContaining("reset");
                    reset.countDown();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.connect(1, "/chat");
            client.await(Http2FrameTypes.HEADERS);
            client.reset(1, Http2Error.CANCEL);
            await().until(() -> reset.getCount() == 0);
        }
    }

    /** The next one may go to another server, and have to wait for a connection there while this one is still being handed over. */
    @Test
    void aHandshakeThatTheServerCannotTakeHoldsUpNoOther() throws IOException {
        Fault fault = new Fault(List.of(), new Fault.Delay(Duration.ofMillis(20), RequestMatch.ALL), null, null);
        Route chat = new Route(
                "chat",
                new RequestMatch(new PathMatch.Prefix("/chat"), null, List.of(), List.of(), RequestMatch.ALL),
                RouteAction.Forward.to("chat"),
                FieldEdits.NONE,
                FieldEdits.NONE,
                new Policies(List.of(fault), null, Map.of(), null));
        try (Server without = FramePeer.echo();
                RecordingServer next = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.routing(
                        List.of(chat, Route.to("next")),
                        HttpProxy.cluster("chat", Version.HTTP2, without.port()),
                        HttpProxy.cluster("next", Version.HTTP1, next.port()));
                Client before = Client.to(proxy.address());
                Client client = Client.to(proxy.address())) {
            assertThat(before.send("GET /chat HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                            .readAll())
                    .startsWith("HTTP/1.1 200");
            assertThat(client.send(HANDSHAKE + "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                            .finishSending()
                            .readAll())
                    .startsWith("HTTP/1.1 502")
                    .contains("HTTP/1.1 200 OK");
        }
    }

    @Test
    void crossesFromHttp2ToHttp1() throws IOException {
        try (Server server = Server.that(WebSocketTest::serve);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.connect(1, "/chat");
            client.await(Http2FrameTypes.HEADERS);
            client.data(1, 0, "\u0000\u0001frame");
            assertThat(client.await(Http2FrameTypes.DATA).length()).isEqualTo(7);
            client.data(1, LAST, "");
            Message answer = client.message(1);
            assertThat(answer.status()).isEqualTo("200");
            assertThat(answer.field("sec-websocket-accept")).isNull();
        }
    }

    private static void serve(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) socket.getInputStream().read());
        }
        assertThat(head.toString())
                .startsWith("GET /chat HTTP/1.1\r\n")
                .contains("upgrade: websocket\r\n")
                .contains("sec-websocket-version: 13\r\n");
        int at = head.indexOf("sec-websocket-key: ") + 19;
        String accept = WebSocketKey.answer(head.substring(at, head.indexOf("\r", at)));
        String answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: " + accept + "\r\n\r\n";
        socket.getOutputStream().write(answer.getBytes(ISO_8859_1));
        socket.getInputStream().transferTo(socket.getOutputStream());
    }

    private static void connect(FramePeer client, int stream, String protocol, String... more) throws IOException {
        List<String> head = new ArrayList<>(List.of(":method", "CONNECT", ":protocol", protocol));
        head.addAll(List.of(":scheme", "http", ":authority", "app.example", ":path", "/chat"));
        head.addAll(List.of(more));
        client.headers(stream, 0, head.toArray(String[]::new));
    }

    /** It would ask a server of HTTP/1 for that protocol, under rules that saw a GET. */
    @Test
    void noOtherProtocolIsSwitchedTo() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            connect(client, 1, "h2c", "http2-settings", "AAMAAABk");
            assertThat(client.message(1).status()).isEqualTo("501");
            assertThat(client.message(1).field("x-parley-error")).isEqualTo("upgrade");
            connect(client, 3, "websocket", "sec-websocket-version", "13", "content-length", "5");
            assertThat(client.message(3).reset()).isEqualTo(Http2Error.PROTOCOL_ERROR);
            assertThat(server.requests()).isEmpty();
        }
    }

    /** RFC 9113 8.5. */
    @Test
    void aTunnelHasNoTrailers() throws IOException {
        try (Server server = Server.that(WebSocketTest::serve);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.connect(1, "/chat");
            client.await(Http2FrameTypes.HEADERS);
            client.headers(1, LAST, "x-sum", "1");
            assertThat(client.message(1).reset()).isEqualTo(Http2Error.PROTOCOL_ERROR);
        }
    }

    /** RFC 9110 9.3.6. */
    @Test
    void whatAServerSaysOfTheLengthOfATunnelMeansNothing() throws IOException {
        try (Server server = FramePeer.server(
                        peer -> {
                            int stream = peer.request();
                            peer.headers(stream, 0, ":status", "200", "content-length", "0");
                            peer.data(stream, 0, "frame");
                            peer.drain();
                        },
                        SETTINGS_ENABLE_CONNECT_PROTOCOL,
                        1);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address()).send(HANDSHAKE)) {
            String answer = client.read(134);
            assertThat(answer)
                    .startsWith("HTTP/1.1 101 ")
                    .endsWith("\r\n\r\nframe")
                    .doesNotContain("content-length");
        }
    }

    @Test
    void c33_isNoTunnelUnlessTheServerAgrees() throws IOException {
        try (RecordingServer server = RecordingServer.answering(_ -> "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nno");
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.connect(1, "/chat");
            client.data(1, 0, "GET /evil HTTP/1.1\r\nhost: x\r\n\r\n");
            Message answer = client.message(1);
            assertThat(answer.reset() != null || !answer.status().equals("200")).isTrue();
            assertThat(server.requests()).noneMatch(request -> request.startsWith("GET /evil"));
        }
    }

    @Test
    void c33_aHandshakeThatIsNoneIsRefused() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1)) {
            for (String flaw : new String[] {
                "Sec-WebSocket-Version: 13|Sec-WebSocket-Version: 12",
                "Sec-WebSocket-Version: 13\r\n|",
                "dGhlIHNhbXBsZSBub25jZQ==|short",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n|"
            }) {
                String[] change = flaw.split("\\|", -1);
                try (Client client = Client.to(proxy.address())) {
                    assertThat(client.send(HANDSHAKE.replace(change[0], change[1]))
                                    .readAll())
                            .as(flaw)
                            .startsWith("HTTP/1.1 400");
                }
            }
            assertThat(server.requests()).isEmpty();
        }
    }
}
