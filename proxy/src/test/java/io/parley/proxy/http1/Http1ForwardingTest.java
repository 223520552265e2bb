package io.parley.proxy.http1;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.UNHURRIED;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.meshed;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.plain;
import static io.parley.proxy.app.TestMesh.strict;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.Logged;
import io.parley.proxy.app.Server;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.telemetry.FailureLog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class Http1ForwardingTest {
    private final TestMesh mesh = new TestMesh();

    @AfterEach
    void stop() {
        mesh.close();
    }

    private InetSocketAddress proxyTo(int port) {
        return mesh.start(
                        CLIENT,
                        config(
                                UNHURRIED,
                                List.of(outbound("app", declared(Protocol.DETECT))),
                                cluster("app", plain(port))))
                .address("outbound");
    }

    private InetSocketAddress twoProxiesTo(int port) {
        Proxy far = mesh.start(SERVER, config(UNHURRIED, List.of(inbound(Map.of(), strict(Protocol.DETECT)))));
        return mesh.start(
                        CLIENT,
                        config(
                                UNHURRIED,
                                List.of(outbound("app", declared(Protocol.DETECT))),
                                cluster("app", meshed(port, far.address("inbound"), SERVER))))
                .address("outbound");
    }

    @Test
    void passesBytesUntouched() throws IOException {
        String request = "POST /a?b=c HTTP/1.1\r\nhOST:  x.example \r\nX-Odd:\t1\r\nContent-Length: 3\r\n\r\nabc";
        String answer = "HTTP/1.1 201 Very Created\r\nSERVER: me\r\ncontent-length: 4\r\n\r\ndone";
        try (RecordingServer server = RecordingServer.answering(_ -> answer);
                Client client = Client.to(proxyTo(server.port()))) {
            assertThat(client.send(request).read(answer.length())).isEqualTo(answer);
            assertThat(server.requests()).containsExactly(request);
        }
    }

    @Test
    void keepsConnectionsOnBothSides() throws IOException {
        try (RecordingServer server = RecordingServer.ok()) {
            InetSocketAddress proxy = proxyTo(server.port());
            keepsConnections(server, proxy);
        }
    }

    private static void keepsConnections(RecordingServer server, InetSocketAddress proxy) throws IOException {
        try (Client client = Client.to(proxy);
                Client other = Client.to(proxy)) {
            for (int i = 0; i < 20; i++) {
                assertThat(client.send("GET /" + i + " HTTP/1.1\r\nHost: x\r\n\r\n")
                                .read(40))
                        .endsWith("ok");
                assertThat(other.send("GET /o HTTP/1.1\r\nHost: x\r\n\r\n").read(40))
                        .endsWith("ok");
            }
            assertThat(server.requests()).hasSize(40);
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void answersPipelinedRequestsInOrder() throws IOException {
        try (RecordingServer server = RecordingServer.answering(r -> {
                    String path = r.substring(4, r.indexOf(' ', 4));
                    return "HTTP/1.1 200 OK\r\ncontent-length: " + path.length() + "\r\n\r\n" + path;
                });
                Client client = Client.to(proxyTo(server.port()))) {
            StringBuilder all = new StringBuilder();
            StringBuilder expected = new StringBuilder();
            for (int i = 0; i < 50; i++) {
                String path = "/" + "x".repeat(i);
                all.append("GET ").append(path).append(" HTTP/1.1\r\nHost: x\r\n\r\n");
                expected.append("HTTP/1.1 200 OK\r\ncontent-length: " + path.length() + "\r\n\r\n" + path);
            }
            assertThat(client.send(all.toString()).read(expected.length())).isEqualTo(expected.toString());
        }
    }

    @Test
    void passesChunkedBodiesBothWaysHoweverTheyAreCut() throws IOException {
        String chunks = "5;ext=1\r\nhello\r\n6\r\n world\r\n0\r\nx-check: 1\r\n\r\n";
        String answer = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" + chunks;
        String request = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks;
        try (RecordingServer server = RecordingServer.answering(_ -> answer)) {
            InetSocketAddress proxy = proxyTo(server.port());
            for (int step : new int[] {1, 3, 7, 1000}) {
                try (Client client = Client.to(proxy)) {
                    for (int i = 0; i < request.length(); i += step) {
                        client.send(request.substring(i, Math.min(request.length(), i + step)));
                    }
                    assertThat(client.read(answer.length())).isEqualTo(answer);
                }
            }
            assertThat(server.requests()).hasSize(4).containsOnly(request);
        }
    }

    @Test
    void knowsAnswersWithoutABody() throws IOException {
        try (RecordingServer server = RecordingServer.answering(r -> r.startsWith("HEAD")
                        ? "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n"
                        : r.startsWith("GET /204")
                                ? "HTTP/1.1 204 No Content\r\n\r\n"
                                : "HTTP/1.1 304 Not Modified\r\ncontent-length: 7\r\n\r\n");
                Client client = Client.to(proxyTo(server.port()))) {
            assertThat(client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n").read(40))
                    .endsWith("100\r\n\r\n");
            assertThat(client.send("GET /204 HTTP/1.1\r\nHost: x\r\n\r\n").read(27))
                    .startsWith("HTTP/1.1 204");
            assertThat(client.send("GET /304 HTTP/1.1\r\nHost: x\r\n\r\n").read(48))
                    .startsWith("HTTP/1.1 304");
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void passesInterimAnswers() throws IOException {
        try (RecordingServer server = RecordingServer.answering(_ ->
                        "HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
                Client client = Client.to(proxyTo(server.port()))) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(client.read(37)).startsWith("HTTP/1.1 103").contains("link: a");
            assertThat(client.read(38)).isEqualTo("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
        }
    }

    @Test
    void waitsForTheServersContinue() throws IOException {
        try (Server server = Server.that(socket -> {
                    byte[] head = socket.getInputStream().readNBytes(68);
                    assertThat(head).hasSize(68);
                    socket.getOutputStream().write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(ISO_8859_1));
                    socket.getInputStream().readNBytes(3);
                    socket.getOutputStream().write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".getBytes(ISO_8859_1));
                    socket.getInputStream().read();
                });
                Client client = Client.to(proxyTo(server.port()))) {
            client.send("PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
            assertThat(client.read(25)).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            assertThat(client.send("abc").read(38)).startsWith("HTTP/1.1 200 OK");
        }
    }

    @Test
    void removesWhatIsForOneHopOnly() throws IOException {
        try (RecordingServer server = RecordingServer.answering(_ -> String.join(
                        "",
                        "HTTP/1.1 200 OK\r\n",
                        "Connection: close, x-secret\r\n",
                        "Keep-Alive: timeout=5\r\n",
                        "X-Secret: 1\r\n",
                        "content-length: 2\r\n\r\n",
                        "ok"));
                Client client = Client.to(proxyTo(server.port()))) {
            client.send(String.join(
                    "",
                    "GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, drop-me, x-forwarded-for\r\nDrop-Me: 1\r\n",
                    "X-Forwarded-For: 10.0.0.1\r\nTE: gzip\r\nHTTP2-Settings: AAA\r\nUpgrade: h2c\r\n\r\n"));
            String answer = client.read(40);
            assertThat(answer).startsWith("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok".substring(0, 40));
            String seen = server.requests().getFirst();
            assertThat(seen)
                    .doesNotContainIgnoringCase("drop-me")
                    .doesNotContainIgnoringCase("te:")
                    .doesNotContainIgnoringCase("http2-settings")
                    .doesNotContainIgnoringCase("upgrade")
                    .containsIgnoringCase("x-forwarded-for: 10.0.0.1");
        }
    }

    @Test
    void endsTheConnectionWhenTheClientAsksForIt() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                Client client = Client.to(proxyTo(server.port()))) {
            String all = client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                    .readAll();
            assertThat(all).contains("connection: close").endsWith("ok");
        }
    }

    @Test
    void speaksWithClientsOfTheOldVersion() throws IOException {
        try (RecordingServer server = RecordingServer.answering(
                        _ -> "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
                Client client = Client.to(proxyTo(server.port()))) {
            String all = client.send("GET / HTTP/1.0\r\n\r\n").readAll();
            assertThat(all).endsWith("\r\n\r\nabc").doesNotContain("chunked");
            assertThat(server.requests().getFirst()).startsWith("GET / HTTP/1.1\r\nhost: \r\n");
        }
    }

    @Test
    void framesAnAnswerThatEndsWithItsConnection() throws IOException {
        try (Server server = Server.that(socket -> {
                    socket.getInputStream().readNBytes(27);
                    socket.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\nto the end".getBytes(ISO_8859_1));
                });
                Client client = Client.to(proxyTo(server.port()))) {
            String expected = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\na\r\nto the end\r\n0\r\n\r\n";
            assertThat(client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").read(expected.length()))
                    .isEqualTo(expected);
        }
    }

    @Test
    void logsWhatAClientIsNotTold() throws IOException {
        int nobody;
        try (RecordingServer gone = RecordingServer.ok()) {
            nobody = gone.port();
        }
        try (Logged logged = Logged.by(FailureLog.class);
                Client client = Client.to(proxyTo(nobody))) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                    .readAll();
            assertThat(logged.lines())
                    .singleElement()
                    .asString()
                    .contains("127.0.0.1:" + nobody, "refused", "unreachable");
        }
    }

    @Test
    void answersForAServerThatCannot() throws IOException {
        int nobody;
        try (RecordingServer gone = RecordingServer.ok()) {
            nobody = gone.port();
        }
        try (Client client = Client.to(proxyTo(nobody))) {
            String answer = client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                    .readAll();
            assertThat(answer)
                    .startsWith("HTTP/1.1 503")
                    .contains("x-parley-error: unreachable")
                    .endsWith("\r\n\r\nthe service cannot be reached\n");
        }
        try (Server bad = Server.that(socket -> {
                    socket.getInputStream().readNBytes(27);
                    socket.getOutputStream()
                            .write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"
                                    .getBytes(ISO_8859_1));
                    socket.getInputStream().read();
                });
                Client client = Client.to(proxyTo(bad.port()))) {
            String answer = client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").read(100);
            assertThat(answer).startsWith("HTTP/1.1 502").contains("x-parley-error: bad-answer");
        }
    }

    @Test
    void sendsARequestAgainThatAStaleConnectionLost() throws IOException {
        try (Server server = Server.that(socket -> {
                    socket.getInputStream().readNBytes(27);
                    socket.getOutputStream()
                            .write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok".getBytes(ISO_8859_1));
                    socket.getInputStream().read();
                });
                Client client = Client.to(proxyTo(server.port()))) {
            for (int i = 0; i < 10; i++) {
                assertThat(client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").read(40))
                        .endsWith("ok");
            }
        }
    }

    @Test
    void forwardsAWebSocket() throws IOException {
        try (Server server = Server.that(socket -> {
                    byte[] head = new byte[1024];
                    int n = socket.getInputStream().read(head);
                    String text = new String(head, 0, n, ISO_8859_1);
                    assertThat(text).contains("upgrade: websocket").contains("connection: upgrade");
                    socket.getOutputStream()
                            .write(String.join(
                                            "",
                                            "HTTP/1.1 101 Switching Protocols\r\n",
                                            "Upgrade: websocket\r\nConnection: Upgrade\r\n",
                                            "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\nhi")
                                    .getBytes(ISO_8859_1));
                    socket.getInputStream().transferTo(socket.getOutputStream());
                });
                Client client = Client.to(twoProxiesTo(server.port()))) {
            client.send(String.join(
                    "",
                    "GET /chat HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"));
            String answer = client.read(129);
            assertThat(answer)
                    .startsWith("HTTP/1.1 101")
                    .contains("sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
            client.send("\u0000\u0001binary");
            assertThat(answer + client.read(10)).endsWith("hi\u0000\u0001binary");
            assertThat(client.send("last").finishSending().readAll()).isEqualTo("last");
        }
    }

    @Test
    void c33_doesNotBecomeATunnelUnlessTheServerAgrees() throws IOException {
        try (RecordingServer server = RecordingServer.answering(
                        _ -> "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n");
                Client client = Client.to(proxyTo(server.port()))) {
            String answer = client.send(String.join(
                            "",
                            "GET /chat HTTP/1.1\r\n",
                            "Host: x\r\n",
                            "Upgrade: websocket\r\n",
                            "Connection: Upgrade\r\n",
                            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
                            "Sec-WebSocket-Version: 13\r\n\r\n",
                            "GET /evil HTTP/1.1\r\n\r\n"))
                    .read(100);
            assertThat(answer).startsWith("HTTP/1.1 502");
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void carriesRequestsOverTwoProxies() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                Client client = Client.to(twoProxiesTo(server.port()))) {
            for (int i = 0; i < 10; i++) {
                assertThat(client.send("GET /" + i + " HTTP/1.1\r\nHost: x\r\n\r\n")
                                .read(40))
                        .endsWith("ok");
            }
            assertThat(server.connections()).isEqualTo(1);
        }
        await().untilAsserted(() -> assertThat(mesh.ended()).hasSizeGreaterThanOrEqualTo(1));
    }
}
