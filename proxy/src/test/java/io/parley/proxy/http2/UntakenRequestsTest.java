package io.parley.proxy.http2;

import static io.netty.handler.codec.http2.Http2CodecUtil.SETTINGS_ENABLE_CONNECT_PROTOCOL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.config.Balancing;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.ClusterConfig.Breaker;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Outliers;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.HttpLimits;
import io.parley.proxy.http.HttpTimeouts;
import io.parley.proxy.http.Route;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are not complete because their server does not take them: that is no fault of their clients. */
class UntakenRequestsTest {
    private static final int WINDOW = 65_535;
    private static final Duration MORE_THAN_USUAL = Duration.ofMinutes(6);

    private final CountDownLatch asked = new CountDownLatch(1);
    private Server server;

    /** It takes a head and what its windows allow, and says nothing. */
    @BeforeEach
    void serve() throws IOException {
        server = FramePeer.server(
                peer -> {
                    peer.request();
                    asked.countDown();
                    peer.drain();
                },
                SETTINGS_ENABLE_CONNECT_PROTOCOL,
                1);
    }

    @AfterEach
    void end() throws IOException {
        server.close();
    }

    private HttpProxy proxy(HttpTimeouts timeouts) {
        HttpUpstream strict = new HttpUpstream(Version.HTTP2, 10_000, new Outliers(1, 1), List.of());
        ClusterConfig cluster = new ClusterConfig(
                "app",
                List.of(TestMesh.plain(server.port())),
                new Breaker(10, 10, 5, Duration.ofSeconds(30), 100),
                strict,
                new Balancing.LeastLoaded(),
                null,
                null);
        return HttpProxy.with(HttpProxy.routed(List.of(Route.to("app")), timeouts, HttpLimits.DEFAULT), cluster);
    }

    private static void awaitStandstill(HttpProxy proxy) {
        AtomicLong last = new AtomicLong();
        await().pollInterval(Duration.ofMillis(500)).until(() -> {
            long now = proxy.counted("tcp_read_bytes_total", "peer=\"src\"");
            return now >= WINDOW && last.getAndSet(now) == now;
        });
    }

    private static void assertThatTheServerIsToBlame(HttpProxy proxy) {
        assertThat(proxy.abuses("request-timeout")).isZero();
        assertThat(proxy.ejected("app")).isEqualTo(1);
    }

    @Test
    void anUploadOverHttp1() throws IOException {
        try (HttpProxy proxy = proxy(HttpTimeouts.DEFAULT);
                Client client = Client.to(proxy.address())) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n");
            Thread.ofVirtual().start(() -> {
                try {
                    client.send(new byte[1_000_000]);
                } catch (IOException _) {
                    // It was answered before it had sent all.
                }
            });
            awaitStandstill(proxy);
            proxy.pass(MORE_THAN_USUAL);
            assertThat(client.read(12)).isEqualTo("HTTP/1.1 504");
            assertThatTheServerIsToBlame(proxy);
        }
    }

    @Test
    void anUploadOverHttp2() throws IOException {
        try (HttpProxy proxy = proxy(HttpTimeouts.DEFAULT);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, 0, "POST", "/");
            for (int sent = 0; sent < WINDOW; sent += 16_384) {
                client.data(1, 0, "x".repeat(Math.min(16_384, WINDOW - sent)));
            }
            awaitStandstill(proxy);
            proxy.pass(MORE_THAN_USUAL);
            assertThat(client.message(1).status()).isEqualTo("504");
            assertThatTheServerIsToBlame(proxy);
        }
    }

    /** A client must not say anything before it has the answer. */
    @ParameterizedTest
    @ValueSource(longs = {0, 5})
    void aWebSocketWhoseServerNeverAnswers(long minutesForRequests) throws Exception {
        HttpTimeouts usual = HttpTimeouts.DEFAULT;
        try (HttpProxy proxy = proxy(new HttpTimeouts(
                        usual.head(), usual.idle(), usual.streamIdle(), Duration.ofMinutes(minutesForRequests)));
                FramePeer client = FramePeer.client(proxy.address())) {
            client.connect(1, "/chat");
            asked.await();
            proxy.pass(MORE_THAN_USUAL);
            assertThat(client.message(1).status()).isEqualTo("504");
            assertThatTheServerIsToBlame(proxy);
        }
    }
}
