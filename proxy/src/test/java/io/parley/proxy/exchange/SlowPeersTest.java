package io.parley.proxy.exchange;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import io.parley.proxy.app.Bystanders;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.HttpLimits;
import io.parley.proxy.http.HttpTimeouts;
import io.parley.proxy.http.Route;
import io.parley.proxy.http1.RecordingServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Peers that take their time to keep others waiting: heads, bodies and reading, on both sides. */
class SlowPeersTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(1);

    private static HttpProxy proxy(int port, HttpTimeouts timeouts) {
        return HttpProxy.with(
                HttpProxy.routed(List.of(Route.to("app")), timeouts, HttpLimits.DEFAULT),
                HttpProxy.cluster("app", Version.HTTP1, port));
    }

    /** A server that sends more than anybody's buffers hold, and notes when it has sent all of it or could not. */
    private static Server generous(AtomicBoolean over) throws IOException {
        int length = 64 << 20;
        return Server.that(socket -> {
            socket.getInputStream().read(new byte[1_024]);
            socket.getOutputStream()
                    .write(("HTTP/1.1 200 OK\r\ncontent-length: " + length + "\r\n\r\n").getBytes(ISO_8859_1));
            try {
                for (int i = 0; i < length >> 16; i++) {
                    socket.getOutputStream().write(new byte[1 << 16]);
                }
            } catch (IOException _) {
                over.set(true);
            }
        });
    }

    @Test
    void c25_aHeadThatDoesNotEndIsGivenUp() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = proxy(server.port(), new HttpTimeouts(SHORT, LONG, LONG, LONG));
                Client client = Client.to(proxy.address())) {
            assertThat(client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ").readAll())
                    .startsWith("HTTP/1.1 408");
            assertThat(proxy.abuses("head-timeout")).isEqualTo(1);
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void c25_aBodyThatDoesNotEndIsGivenUp() throws IOException {
        AtomicBoolean ended = new AtomicBoolean();
        try (Server server = Server.that(socket -> {
                    socket.getInputStream().readAllBytes();
                    ended.set(true);
                });
                HttpProxy proxy = proxy(server.port(), new HttpTimeouts(LONG, LONG, LONG, SHORT));
                Client client = Client.to(proxy.address())) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
            assertThat(client.readAll()).startsWith("HTTP/1.1 408");
            assertThat(proxy.abuses("request-timeout")).isEqualTo(1);
            await().untilTrue(ended);
        }
    }

    @Test
    void c25_aClientThatDoesNotReadIsLeft() throws IOException {
        AtomicBoolean over = new AtomicBoolean();
        try (Server server = generous(over);
                HttpProxy proxy = proxy(server.port(), new HttpTimeouts(LONG, LONG, SHORT, LONG));
                Client client = Client.to(proxy.address()).send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")) {
            await().untilTrue(over);
            assertThat(proxy.errors("stream-idle")).isEqualTo(1);
            assertThat(client.socket().isClosed()).isFalse();
        }
    }

    @Test
    void aServerThatSaysNothingIsLeft() throws IOException {
        try (Server mute = Server.that(socket -> socket.getInputStream().readAllBytes());
                HttpProxy proxy = proxy(mute.port(), new HttpTimeouts(LONG, LONG, SHORT, LONG));
                Client client = Client.to(proxy.address()).send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")) {
            assertThat(client.read(12)).isEqualTo("HTTP/1.1 504");
        }
    }

    /** What there is of a head is nothing yet to who waits for an answer, however steadily it grows. */
    @Test
    void aServerThatSendsAHeadByteByByteIsLeft() throws IOException {
        Semaphore wanted = new Semaphore(0);
        AtomicInteger sent = new AtomicInteger();
        AtomicBoolean left = new AtomicBoolean();
        try (Server dripping = Server.that(socket -> {
                    socket.getInputStream().read(new byte[1_024]);
                    try {
                        for (byte one : "HTTP/1.1 200 OK\r\nx-slow: and so on".getBytes(ISO_8859_1)) {
                            wanted.acquireUninterruptibly();
                            socket.getOutputStream().write(one);
                            sent.incrementAndGet();
                        }
                        left.set(socket.getInputStream().read() < 0);
                    } catch (IOException _) {
                        left.set(true);
                    }
                });
                HttpProxy proxy = proxy(dripping.port(), new HttpTimeouts(LONG, LONG, Duration.ofSeconds(10), LONG));
                Client client = Client.to(proxy.address()).send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")) {
            for (int bytes = 1; bytes <= 4; bytes++) {
                wanted.release();
                await().untilAtomic(sent, equalTo(bytes));
                proxy.pass(Duration.ofSeconds(3));
            }
            assertThat(client.read(12)).isEqualTo("HTTP/1.1 504");
            assertThat(proxy.errors("stream-idle")).isEqualTo(1);
            wanted.release(100);
            await().untilTrue(left);
        }
    }

    @Test
    void aConnectionWithoutRequestsIsClosed() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = proxy(server.port(), new HttpTimeouts(LONG, SHORT, LONG, LONG));
                Client client = Client.to(proxy.address())) {
            assertThat(client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").readAll())
                    .endsWith("ok");
        }
    }

    /** It is for the server to answer, and how long a client may take to send is for the listener to say. */
    @Test
    void theTimeThatARouteAllowsDoesNotRunWhileTheRequestComes() throws IOException {
        Duration allowed = Duration.ofSeconds(10);
        CountDownLatch begun = new CountDownLatch(1);
        Route route = Routes.route(Routes.limited(allowed, Routes.retries(0, 100, allowed)));
        try (Server server = Server.that(socket -> {
                    byte[] request = new byte[1_024];
                    boolean more = socket.getInputStream().read(request) > 0;
                    while (more) {
                        if (request[0] == 'P') {
                            begun.countDown();
                            socket.getInputStream().readNBytes(2);
                        }
                        socket.getOutputStream()
                                .write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok".getBytes(ISO_8859_1));
                        more = socket.getInputStream().read(request) > 0;
                    }
                });
                HttpProxy proxy = HttpProxy.with(
                        HttpProxy.routed(
                                List.of(route),
                                new HttpTimeouts(LONG, Duration.ofSeconds(5), LONG, LONG),
                                HttpLimits.DEFAULT),
                        HttpProxy.cluster("app", Version.HTTP1, server.port()));
                Client client = Client.to(proxy.address())) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na");
            await().until(() -> begun.getCount() == 0);
            Bystanders.see(proxy, Duration.ofSeconds(20));
            assertThat(client.ask("bc")).isEqualTo("ok");
        }
    }
}
