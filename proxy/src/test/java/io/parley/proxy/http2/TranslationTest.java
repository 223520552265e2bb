package io.parley.proxy.http2;

import static io.parley.proxy.http2.FramePeer.LAST;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Headers;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.Route;
import io.parley.proxy.http1.RecordingServer;
import io.parley.proxy.http2.FramePeer.Message;
import java.io.IOException;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Requests and answers that change their version on the way: RFC 9113 section 8 and RFC 9110 section 7. */
class TranslationTest {
    private final List<Http2Headers> seen = new CopyOnWriteArrayList<>();

    /** A server of HTTP/2 that notes heads, and answers each request with these fields and this text. */
    private Server http2(String text, String... fields) throws IOException {
        return FramePeer.server(peer -> {
            while (true) {
                int stream = peer.request();
                Message request = peer.message(stream);
                seen.addAll(request.heads());
                peer.headers(stream, text.isEmpty() ? LAST : 0, fields);
                if (!text.isEmpty()) {
                    peer.data(stream, LAST, text.equals("echo") ? request.text() : text);
                }
            }
        });
    }

    private static RecordingServer http1(String answer) throws IOException {
        return RecordingServer.answering(_ -> answer);
    }

    @Test
    void aRequestOfHttp1LosesWhatIsForItsHopAndKeepsTheRest() throws IOException {
        try (Server server = http2("", ":status", "200", "content-length", "0");
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address())) {
            client.send(String.join(
                    "\r\n",
                    "GET /a?b=c HTTP/1.1",
                    "Host: x.example:81",
                    "Connection: keep-alive, X-Mine",
                    "Keep-Alive: timeout=5",
                    "Proxy-Connection: keep-alive",
                    "X-Mine: 1",
                    "Upgrade: h2c",
                    "HTTP2-Settings: AAA",
                    "TE: trailers",
                    "X-Kept: Yes",
                    "Cookie: a=b; c=d",
                    "",
                    ""));
            assertThat(client.read(38)).isEqualTo("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
            Http2Headers head = seen.getFirst();
            assertThat(head.method()).hasToString("GET");
            assertThat(head.path()).hasToString("/a?b=c");
            assertThat(head.authority()).hasToString("x.example:81");
            assertThat(head.scheme()).hasToString("http");
            assertThat(head.get("x-kept")).hasToString("Yes");
            assertThat(head.get("cookie")).hasToString("a=b; c=d");
            assertThat(head.names())
                    .extracting(Object::toString)
                    .doesNotContain(
                            "connection",
                            "keep-alive",
                            "proxy-connection",
                            "x-mine",
                            "upgrade",
                            "http2-settings",
                            "host");
        }
    }

    @Test
    void chunksOfHttp1BecomeFramesWithTheirTrailers() throws IOException {
        try (Server server = http2("echo", ":status", "200");
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address())) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
            client.send("3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 5\r\n\r\n");
            assertThat(client.read(62))
                    .isEqualTo("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n"
                            .substring(0, 62));
            assertThat(seen.getFirst().contains("transfer-encoding")).isFalse();
            assertThat(seen.getLast().get("x-sum")).hasToString("5");
        }
    }

    @Test
    void aRequestOfHttp2IsWrittenAsHttp1() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, LAST, "GET", "/a?b", "cookie", "a=b", "te", "trailers", "cookie", "c=d", "x-kept", "Yes");
            assertThat(client.message(1).status()).isEqualTo("200");
            assertThat(server.requests().getFirst())
                    .startsWith("GET /a?b HTTP/1.1\r\nhost: app.example\r\n")
                    .contains("x-kept: Yes\r\n")
                    .contains("cookie: a=b; c=d\r\n")
                    .doesNotContain("te:")
                    .doesNotContain("transfer-encoding")
                    .endsWith("\r\n\r\n");
        }
    }

    @Test
    void contentOfHttp2IsChunkedUnlessItsLengthIsKnown() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, 0, "POST", "/", "content-length", "3");
            client.data(1, LAST, "abc");
            client.message(1);
            client.open(3, 0, "POST", "/");
            client.data(3, 0, "abc");
            client.headers(3, LAST, "x-sum", "3");
            client.message(3);
            assertThat(server.requests().getFirst())
                    .contains("content-length: 3\r\n")
                    .endsWith("\r\n\r\nabc");
            assertThat(server.requests().getLast())
                    .contains("transfer-encoding: chunked\r\n")
                    .endsWith("\r\n\r\n3\r\nabc\r\n0\r\nx-sum: 3\r\n\r\n");
        }
    }

    @Test
    void anAnswerOfHttp1BecomesOneOfHttp2() throws IOException {
        try (RecordingServer server = http1(String.join(
                        "\r\n",
                        "HTTP/1.1 201 Made",
                        "Connection: X-Mine",
                        "X-Mine: 1",
                        "Keep-Alive: timeout=5",
                        "Set-Cookie: a=b",
                        "Set-Cookie: c=d",
                        "Transfer-Encoding: chunked",
                        "",
                        "3",
                        "abc",
                        "0",
                        "X-Sum: 3",
                        "",
                        ""));
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.get(1, "/");
            Message answer = client.message(1);
            assertThat(answer.status()).isEqualTo("201");
            assertThat(answer.text()).isEqualTo("abc");
            assertThat(answer.head().getAll("set-cookie"))
                    .extracting(Object::toString)
                    .containsExactly("a=b", "c=d");
            assertThat(answer.head().names())
                    .extracting(Object::toString)
                    .containsExactlyInAnyOrder(":status", "set-cookie");
            assertThat(answer.trailers().get("x-sum")).hasToString("3");
        }
    }

    @Test
    void answersWithoutContentStaySo() throws IOException {
        try (RecordingServer server = RecordingServer.answering(request -> switch (request.substring(0, 8)) {
                    case "HEAD / H" -> "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n";
                    case "GET /204" -> "HTTP/1.1 204 No Content\r\n\r\n";
                    default -> "HTTP/1.1 304 Not Modified\r\ncontent-length: 7\r\n\r\n";
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, LAST, "HEAD", "/");
            assertThat(client.message(1).field("content-length")).isEqualTo("100");
            assertThat(client.message(1).text()).isEmpty();
            client.get(3, "/204");
            assertThat(client.message(3).status()).isEqualTo("204");
            client.get(5, "/304");
            assertThat(client.message(5).status()).isEqualTo("304");
            assertThat(server.connections()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void theProxysOwnAnswersToHeadHaveNoContent() throws IOException {
        int nobody;
        try (RecordingServer gone = RecordingServer.ok()) {
            nobody = gone.port();
        }
        try (HttpProxy proxy = HttpProxy.to(nobody, Version.HTTP1);
                Client old = Client.to(proxy.address());
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, LAST, "HEAD", "/");
            assertThat(client.message(1).status()).isEqualTo("503");
            assertThat(client.message(1).text()).isEmpty();
            String head = "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n";
            String both = old.send(head + head.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"))
                    .readAll();
            assertThat(both.split("\r\n\r\n", -1))
                    .hasSize(3)
                    .allMatch(part -> part.isEmpty() || part.startsWith("HTTP/1.1 503"));
        }
    }

    @Test
    void anAnswerToHeadSaysNothingOfALengthThatNobodyKnows() throws IOException {
        try (Server server = http2("", ":status", "200", "x-kept", "yes");
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address())) {
            client.send("HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertThat(client.readAll())
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("x-kept: yes")
                    .doesNotContain("content-length", "transfer-encoding");
        }
    }

    /** RFC 9110 8.6. */
    @Test
    void whatCanHaveNoContentHasNoLength() throws IOException {
        try (Server server = FramePeer.server(peer -> {
                    int stream = peer.request();
                    peer.headers(stream, 0, ":status", "103", "content-length", "5");
                    peer.headers(stream, LAST, ":status", "204", "content-length", "5");
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address())) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertThat(client.readAll())
                    .contains("HTTP/1.1 103", "HTTP/1.1 204")
                    .doesNotContain("content-length");
        }
    }

    /** To a client of HTTP/1 what comes after the head would be the next answer. */
    @Test
    void contentInAnAnswerThatHasNoneGoesNowhere() throws IOException {
        for (String status : List.of("200", "204", "304")) {
            try (Server server = http2("HTTP/1.1 200 OK\r\n\r\n", ":status", status);
                    HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                    Client client = Client.to(proxy.address())) {
                String method = status.equals("200") ? "HEAD" : "GET";
                client.send(method + " / HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(received(client)).isLessThanOrEqualTo(1);
                assertThat(proxy.errors("cut-off")).isEqualTo(1);
            }
        }
    }

    /** How many answers came before the end of the connection, which may be a reset. */
    private static int received(Client client) throws IOException {
        StringBuilder all = new StringBuilder();
        try {
            for (String next = client.read(1); !next.isEmpty(); next = client.read(1)) {
                all.append(next);
            }
        } catch (SocketException _) {
            // It was cut off, as it should be.
        }
        return all.toString().split("HTTP/1.1 ", -1).length - 1;
    }

    @Test
    void aRequestThatUsuallyHasContentSaysThatItHasNone() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, LAST, "POST", "/");
            client.message(1);
            client.open(3, LAST, "GET", "/");
            client.message(3);
            assertThat(server.requests().getFirst()).contains("content-length: 0\r\n");
            assertThat(server.requests().getLast()).doesNotContain("content-length");
        }
    }

    @Test
    void theAsteriskOfOptionsIsNoPath() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.routing(
                        List.of(Route.to("app")), HttpProxy.cluster("app", Version.HTTP1, server.port()));
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, LAST, "OPTIONS", "*");
            assertThat(client.message(1).status()).isEqualTo("200");
            assertThat(server.requests().getFirst()).startsWith("OPTIONS * HTTP/1.1\r\n");
        }
    }

    @Test
    void whatDoesNotBelongAfterTheContentOfAnAnswerIsStruckOut() throws IOException {
        try (Server server = FramePeer.server(peer -> {
                    int stream = peer.request();
                    peer.headers(stream, 0, ":status", "200");
                    peer.data(stream, 0, "abc");
                    peer.headers(stream, LAST, "content-length", "7", "set-cookie", "a=b", "x-sum", "3");
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address())) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertThat(client.readAll()).endsWith("\r\n\r\n3\r\nabc\r\n0\r\nx-sum: 3\r\n\r\n");
        }
    }

    @Test
    void interimAnswersPass() throws IOException {
        try (RecordingServer server = http1(
                        "HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.get(1, "/");
            List<Http2Headers> heads = client.message(1).heads();
            assertThat(heads).extracting(head -> head.status().toString()).containsExactly("103", "200");
            assertThat(heads.getFirst().get("link")).hasToString("a");
        }
    }

    @Test
    void aClientOfHttp2WaitsForContinueToo() throws IOException {
        try (Server server = Server.that(socket -> {
                    byte[] head = new byte[1_024];
                    int length = socket.getInputStream().read(head);
                    assertThat(new String(head, 0, length, ISO_8859_1)).contains("expect: 100-continue");
                    socket.getOutputStream().write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(ISO_8859_1));
                    String content = new String(socket.getInputStream().readNBytes(3), ISO_8859_1);
                    socket.getOutputStream()
                            .write(("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n" + content).getBytes(ISO_8859_1));
                    socket.getInputStream().read();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, 0, "PUT", "/", "expect", "100-continue", "content-length", "3");
            client.await(Http2FrameTypes.HEADERS);
            client.data(1, LAST, "abc");
            assertThat(client.message(1).heads())
                    .extracting(head -> head.status().toString())
                    .containsExactly("100", "200");
            assertThat(client.message(1).text()).isEqualTo("abc");
        }
    }
}
