package io.parley.proxy.exchange;

import static io.parley.proxy.app.TestMesh.plain;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.Balancing;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.ClusterConfig.Breaker;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Outliers;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.Route;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens to requests when a cluster has all that it may have. */
class CircuitBreakerTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    private final Semaphore heads = new Semaphore(0);
    private final Semaphore ends = new Semaphore(0);
    private Server server;

    /** Each answer has its head and its end when the test says so. */
    @BeforeEach
    void serve() throws IOException {
        server = Server.that(socket -> {
            while (socket.getInputStream().read(new byte[1_024]) > 0) {
                heads.acquireUninterruptibly();
                socket.getOutputStream().write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\no".getBytes(ISO_8859_1));
                ends.acquireUninterruptibly();
                socket.getOutputStream().write('k');
            }
        });
    }

    @AfterEach
    void end() throws IOException {
        heads.release(100);
        ends.release(100);
        server.close();
    }

    private HttpProxy proxy(int connections, int waiting, int requests) {
        ClusterConfig cluster = new ClusterConfig(
                "app",
                List.of(plain(server.port())),
                new Breaker(connections, waiting, 5, Duration.ofSeconds(30), 100),
                new HttpUpstream(Version.HTTP1, requests, new Outliers(1, 1), List.of()),
                new Balancing.LeastLoaded(),
                null,
                null);
        return HttpProxy.routing(List.of(Route.to("app")), cluster);
    }

    private static Client asking(HttpProxy proxy) throws IOException {
        return Client.to(proxy.address()).send(GET);
    }

    @Test
    void aRequestWaitsForAConnectionWhenThereMayBeNoMore() throws IOException {
        try (HttpProxy proxy = proxy(1, 1, 100);
                Client first = asking(proxy)) {
            await().until(() -> server.accepted() == 1);
            try (Client second = asking(proxy)) {
                await().until(() -> proxy.counted("request_total") == 2);
                try (Client third = asking(proxy)) {
                    assertThat(third.read(80)).startsWith("HTTP/1.1 503").contains("x-parley-error: overflow");
                }
                heads.release(2);
                ends.release(2);
                assertThat(first.read(40)).endsWith("ok");
                assertThat(second.read(40)).endsWith("ok");
            }
            assertThat(server.accepted()).isEqualTo(1);
        }
    }

    @Test
    void anEndpointIsNotBlamedForWhatItWasNeverAsked() throws IOException {
        try (HttpProxy proxy = proxy(1, 0, 100);
                Client first = asking(proxy)) {
            assertThat(first.read(80)).contains("x-parley-error: overflow");
            assertThat(proxy.ejected("app")).isZero();
        }
    }

    /** Nor is it the client's fault that it waits. */
    @Test
    void nobodyIsBlamedForARequestThatWaitedTooLong() throws IOException {
        try (HttpProxy proxy = proxy(1, 1, 100);
                Client first = asking(proxy)) {
            heads.release();
            assertThat(first.read(39)).endsWith("o");
            try (Client second = asking(proxy)) {
                await().until(() -> proxy.counted("request_total") == 2);
                proxy.pass(Duration.ofMinutes(6));
                assertThat(second.read(12)).isEqualTo("HTTP/1.1 504");
                assertThat(proxy.errors("stream-idle")).isEqualTo(2);
                assertThat(proxy.ejected("app")).isZero();
            }
        }
    }

    @Test
    void anAnswerThatHasBegunIsARequestUnderWay() throws IOException {
        try (HttpProxy proxy = proxy(10, 10, 1);
                Client first = asking(proxy)) {
            heads.release(2);
            assertThat(first.read(39)).endsWith("o");
            try (Client second = asking(proxy)) {
                assertThat(second.read(80)).contains("x-parley-error: overflow");
            }
            ends.release(2);
            assertThat(first.read(1)).isEqualTo("k");
            try (Client third = asking(proxy)) {
                assertThat(third.read(40)).endsWith("ok");
            }
        }
    }

    @Test
    void anEndpointIsNotBlamedForWhatItsClientsDoWrong() throws IOException {
        String bad = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZ\r\n";
        try (HttpProxy proxy = proxy(10, 10, 100);
                Client first = Client.to(proxy.address()).send(bad)) {
            assertThat(first.read(12)).isEqualTo("HTTP/1.1 400");
            assertThat(proxy.ejected("app")).isZero();
        }
    }
}
