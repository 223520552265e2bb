package io.parley.proxy.exchange;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.RetryPolicy;
import io.parley.proxy.http.RetryPolicy.On;
import io.parley.proxy.http1.RecordingServer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is sent again when a server has read a request and dies. */
class RetriesTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab";

    /** How often a server sees a request that it never answers, where it may be sent twice more. */
    private static int seen(String request, On... on) throws IOException {
        RetryPolicy policy = new RetryPolicy(
                List.of(),
                Set.of(on),
                Set.of(),
                List.of(),
                Set.of(),
                2,
                null,
                Duration.ofMillis(1),
                Duration.ofMillis(2),
                100);
        try (Server dying = Server.that(socket -> socket.getInputStream().read(new byte[1_024]));
                HttpProxy proxy = HttpProxy.routing(
                        List.of(Routes.route(Routes.limited(null, policy))),
                        HttpProxy.cluster("app", Version.HTTP1, dying.port()));
                Client client = Client.to(proxy.address())) {
            assertThat(client.send(request).read(12)).isEqualTo("HTTP/1.1 502");
            return dying.accepted();
        }
    }

    /** The route's time goes on meanwhile, so that a wait can be seen to last longer than that. */
    @Test
    void whatHasFailedIsLeftAloneForAWhile() throws IOException {
        RetryPolicy policy = new RetryPolicy(
                List.of(),
                Set.of(On.SERVER_ERROR),
                Set.of(),
                List.of(),
                Set.of(),
                1,
                null,
                Duration.ofDays(1),
                Duration.ofDays(1),
                100);
        try (RecordingServer failing = RecordingServer.answering(
                        _ -> "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n");
                HttpProxy proxy = HttpProxy.routing(
                        List.of(Routes.route(Routes.limited(Duration.ofMinutes(1), policy))),
                        HttpProxy.cluster("app", Version.HTTP1, failing.port()));
                Client client = Client.to(proxy.address()).send(GET)) {
            await().until(() -> proxy.counted("http_retries_total") == 1);
            proxy.pass(Duration.ofMinutes(1));
            assertThat(client.read(12)).isEqualTo("HTTP/1.1 504");
            assertThat(failing.requests()).hasSize(1);
        }
    }

    @Test
    void aRequestThatMayDoHarmIsSentAgainOnlyIfThePolicySaysSo() throws IOException {
        assertThat(seen(POST, On.CONNECT_FAILURE)).isEqualTo(1);
        assertThat(seen(POST, On.HARMLESS_RESET)).isEqualTo(1);
        assertThat(seen(POST, On.RESET)).isEqualTo(3);
        assertThat(seen(GET, On.CONNECT_FAILURE)).isEqualTo(1);
        assertThat(seen(GET, On.HARMLESS_RESET)).isEqualTo(3);
    }

    private static String read(InputStream in, String end) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(end) < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the request ended after: " + text);
            }
            text.append((char) next);
        }
        return text.toString();
    }

    /** A server that refuses what has come as soon as there is some of it, and answers the second time when all of it has come. */
    private static Server refusingOnce(BlockingQueue<String> whole, CountDownLatch refused) throws IOException {
        AtomicInteger times = new AtomicInteger();
        return Server.that(socket -> {
            InputStream in = socket.getInputStream();
            if (times.getAndIncrement() == 0) {
                read(in, "first");
                socket.getOutputStream()
                        .write("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n".getBytes(US_ASCII));
                refused.countDown();
                in.transferTo(OutputStream.nullOutputStream());
            } else {
                whole.add(read(in, "last"));
                socket.getOutputStream().write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok".getBytes(US_ASCII));
                in.transferTo(OutputStream.nullOutputStream());
            }
        });
    }

    private static HttpProxy retrying(int port, RetryPolicy policy) {
        return HttpProxy.routing(
                List.of(Routes.route(Routes.limited(null, policy))), HttpProxy.cluster("app", Version.HTTP1, port));
    }

    /** What has come is sent again, and what is still to come follows it. */
    @Test
    void aRequestThatIsStillComingIsSentAgain() throws Exception {
        BlockingQueue<String> whole = new LinkedBlockingQueue<>();
        CountDownLatch refused = new CountDownLatch(1);
        try (Server server = refusingOnce(whole, refused);
                HttpProxy proxy = retrying(server.port(), Routes.retries(1, 100, null));
                Client client = Client.to(proxy.address())) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 13\r\n\r\nfirst");
            refused.await();
            await().until(() -> proxy.counted("http_retries_total") == 1);
            client.send(" and");
            assertThat(client.ask("last")).isEqualTo("ok");
            assertThat(whole.take()).startsWith("POST / ").endsWith("\r\n\r\nfirst andlast");
        }
    }

    @Test
    void whatComesBetweenTwoTriesIsSentWithTheNext() throws Exception {
        BlockingQueue<String> whole = new LinkedBlockingQueue<>();
        CountDownLatch refused = new CountDownLatch(1);
        RetryPolicy later = new RetryPolicy(
                List.of(),
                Set.of(On.SERVER_ERROR),
                Set.of(),
                List.of(),
                Set.of(),
                1,
                null,
                Duration.ofMillis(500),
                Duration.ofMillis(500),
                100);
        try (Server server = refusingOnce(whole, refused);
                HttpProxy proxy = retrying(server.port(), later);
                Client client = Client.to(proxy.address())) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n");
            refused.await();
            await().until(() -> proxy.counted("http_retries_total") == 1);
            assertThat(client.ask("4\r\n and\r\n4\r\nlast\r\n0\r\n\r\n")).isEqualTo("ok");
            assertThat(whole.take()).startsWith("POST / ").endsWith("\r\n\r\n5\r\nfirst\r\n4\r\n and\r\n4\r\nlast");
        }
    }

    @Test
    void whatIsTooLargeToBeKeptPassesAndIsSentOnce() throws Exception {
        int length = 1 << 20;
        try (RecordingServer failing = RecordingServer.answering(
                        _ -> "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 2\r\n\r\nno");
                HttpProxy proxy = retrying(failing.port(), Routes.retries(1, 100, null));
                Client client = Client.to(proxy.address())) {
            assertThat(client.ask("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n"
                            + "x".repeat(length)))
                    .isEqualTo("no");
            assertThat(failing.requests()).singleElement().asString().hasSizeGreaterThan(length);
            assertThat(proxy.counted("http_retries_total")).isZero();
        }
    }
}
