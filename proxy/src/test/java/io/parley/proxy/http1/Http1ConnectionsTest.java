package io.parley.proxy.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.app.Bystanders;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.HttpLimits;
import io.parley.proxy.http.HttpTimeouts;
import io.parley.proxy.http.PathMatch;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How long a client's connection goes on, and what it still carries when it ends. */
class Http1ConnectionsTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc";
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(10);

    private static HttpProxy proxy(int port, HttpTimeouts timeouts) {
        return HttpProxy.with(
                HttpProxy.routed(List.of(Route.to("app")), timeouts, HttpLimits.DEFAULT),
                HttpProxy.cluster("app", Version.HTTP1, port));
    }

    @Test
    void aClientThatAsksAheadAndDoesNotReadGetsNoMoreAnswersAndIsLeft() throws IOException {
        String answer = "HTTP/1.1 200 OK\r\ncontent-length: 65536\r\n\r\n" + "x".repeat(65_536);
        int asked = 2_000;
        try (RecordingServer server = RecordingServer.answering(_ -> answer);
                HttpProxy proxy = proxy(server.port(), new HttpTimeouts(LONG, LONG, SHORT, LONG));
                Client client = Client.to(proxy.address()).send(GET.repeat(asked))) {
            await().until(() -> !server.requests().isEmpty() && proxy.connections() == 0);
            assertThat(server.requests()).hasSizeLessThan(asked / 2);
            assertThat(proxy.abuses("answer-timeout")).isEqualTo(1);
            assertThat(client.socket().isClosed()).isFalse();
        }
    }

    @Test
    void aClientThatAsksAheadAndReadsLaterGetsAllAnswers() throws IOException {
        String answer = "HTTP/1.1 200 OK\r\ncontent-length: 65536\r\n\r\n" + "x".repeat(65_536);
        int asked = 300;
        try (RecordingServer server = RecordingServer.answering(_ -> answer);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                Client client = Client.to(proxy.address()).send(GET.repeat(asked))) {
            for (int i = 0; i < asked; i++) {
                assertThat(client.read(answer.length())).isEqualTo(answer);
            }
        }
    }

    /** More than its system takes in for it. */
    @Test
    void c25_aClientThatReadsNothingOfItsLastAnswerIsLeft() throws IOException {
        try (HttpProxy proxy = HttpProxy.routing(
                        List.of(answering(200, "x".repeat(32 << 20))), HttpProxy.cluster("app", Version.HTTP1, 1));
                Client client = Client.to(proxy.address())) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            await().until(() -> proxy.counted("response_total") == 1);
            await().until(() -> {
                proxy.pass(Duration.ofMinutes(1));
                return proxy.connections() == 0;
            });
            assertThat(proxy.abuses("answer-timeout")).isEqualTo(1);
        }
    }

    /** More than is read at once: the rest is in the system, which would reset the connection for it (RFC 9112 9.6). */
    @Test
    void aLastAnswerReachesAClientThatHasSentMoreThanItsRequest() throws IOException {
        CountDownLatch ahead = new CountDownLatch(1);
        try (Server server = Server.that(socket -> {
                    socket.getInputStream().read(new byte[1_024]);
                    await().until(() -> ahead.getCount() == 0);
                    socket.getOutputStream()
                            .write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok".getBytes(ISO_8859_1));
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                Client client = Client.to(proxy.address())) {
            Thread.ofVirtual().start(() -> {
                try {
                    client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" + GET.repeat(100_000));
                } catch (IOException _) {
                    // Nobody has to read all of it.
                }
            });
            AtomicLong last = new AtomicLong();
            await().pollInterval(Duration.ofMillis(300)).until(() -> {
                long now = received(proxy);
                return now > GET.length() && last.getAndSet(now) == now;
            });
            ahead.countDown();
            assertThat(client.readAll()).endsWith("\r\n\r\nok");
        }
    }

    /** By now the proxy has nothing more to do for it than to send, and the client takes all the time that it needs. */
    @Test
    void aConnectionThatEndsIsNotClosedBeforeASlowClientHasAllOfTheAnswer() throws IOException {
        int length = 8 << 20;
        // One that closes: all that it has sent is taken in at once then, more than the client's connection holds.
        try (Server server = Server.that(socket -> {
                    byte[] request = new byte[1_024];
                    socket.getInputStream().read(request);
                    int size = request[5] == 'a' ? length : 0;
                    String head = "HTTP/1.1 200 OK\r\ncontent-length: " + size + "\r\n\r\n";
                    socket.getOutputStream().write(head.getBytes(ISO_8859_1));
                    socket.getOutputStream().write(new byte[size]);
                });
                HttpProxy proxy = proxy(server.port(), new HttpTimeouts(LONG, Duration.ofSeconds(5), LONG, LONG));
                Client client = Client.to(proxy.address())) {
            client.send("GET /all HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            long read = 0;
            while (proxy.counted("response_total") == 0) {
                read += client.read(4_096).length();
            }
            assertThat(read).isLessThan(length);
            Bystanders.see(proxy, Duration.ofSeconds(10));
            assertThat(read + client.readAll().length()).isGreaterThan(length);
        }
    }

    @Test
    void aRequestIsAnsweredAlthoughItsClientSendsNoMore() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1)) {
            for (String request : List.of(POST, GET, POST, GET + POST + GET)) {
                try (Client client = Client.to(proxy.address())) {
                    int answers = request.split("HTTP/1.1", -1).length - 1;
                    assertThat(client.send(request).finishSending().readAll())
                            .isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".repeat(answers));
                }
            }
        }
    }

    @Test
    void aRequestThatWillNeverBeCompleteIsGivenUp() throws IOException {
        try (Server server = Server.that(
                        socket -> socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream()));
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1)) {
            for (String request : List.of("GET / HT", POST.substring(0, POST.length() - 1), "\r")) {
                try (Client client = Client.to(proxy.address())) {
                    assertThat(client.send("\r\n" + request).finishSending().readAll())
                            .as(request)
                            .isEmpty();
                }
            }
        }
    }

    @Test
    void anEmptyLineBetweenRequestsIsPassedOverHoweverItIsCut() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                Client client = Client.to(proxy.address())) {
            String answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
            assertThat(client.send(POST).read(answer.length())).isEqualTo(answer);
            long before = received(proxy);
            client.send("\r");
            await().until(() -> received(proxy) > before);
            client.send("\n");
            await().until(() -> received(proxy) > before + 1);
            assertThat(client.send(GET).read(answer.length())).isEqualTo(answer);
        }
    }

    private static long received(HttpProxy proxy) {
        return proxy.counted("tcp_read_bytes_total", "peer=\"src\"");
    }

    /** The proxy answers everything by itself. */
    private static Route answering(int status, String text) {
        return new Route(
                "own",
                new RequestMatch(new PathMatch.Prefix("/"), null, List.of(), List.of(), RequestMatch.ALL),
                new RouteAction.Respond(status, text),
                FieldEdits.NONE,
                FieldEdits.NONE,
                Policies.NONE);
    }

    @Test
    void anAnswerOfTheProxyItselfSaysThatTheConnectionEndsIfItsRequestWasNotRead() throws IOException {
        try (HttpProxy proxy =
                        HttpProxy.routing(List.of(answering(404, "no")), HttpProxy.cluster("app", Version.HTTP1, 1));
                Client client = Client.to(proxy.address());
                Client other = Client.to(proxy.address())) {
            assertThat(client.send(POST).readAll())
                    .startsWith("HTTP/1.1 404")
                    .contains("connection: close")
                    .endsWith("no");
            assertThat(other.ask(GET)).isEqualTo("no");
            assertThat(other.ask(GET)).isEqualTo("no");
        }
    }

    /** RFC 9112 9.6: what else comes of the request would be taken for the next one. */
    @Test
    void soDoesAnAnswerOfTheServerThatComesBeforeTheEndOfTheRequest() throws IOException {
        try (Server server = Server.that(socket -> {
                    socket.getInputStream().read(new byte[1_024]);
                    socket.getOutputStream()
                            .write("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno".getBytes(ISO_8859_1));
                    socket.getInputStream().readAllBytes();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                Client client = Client.to(proxy.address())) {
            assertThat(client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nsome")
                            .readAll())
                    .isEqualTo("HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 2\r\n\r\nno");
        }
    }

    @Test
    void aBodyOverTheLimitIsRefusedAlsoIfItComesWithItsHead() throws IOException {
        HttpLimits limits = new HttpLimits(8_192, 8_192, 100, 10, 100);
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.with(
                        HttpProxy.routed(List.of(Route.to("app")), HttpTimeouts.DEFAULT, limits),
                        HttpProxy.cluster("app", Version.HTTP1, server.port()))) {
            String head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n";
            for (String hop : List.of("", "TE: gzip\r\n")) {
                try (Client client = Client.to(proxy.address())) {
                    String body = "\r\nb\r\n12345678901\r\n0\r\n\r\n";
                    assertThat(client.send(head + hop + body).readAll()).startsWith("HTTP/1.1 413");
                }
            }
            assertThat(server.requests()).isEmpty();
        }
    }
}
