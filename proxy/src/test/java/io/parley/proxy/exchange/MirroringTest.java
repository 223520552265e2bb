package io.parley.proxy.exchange;

import static io.parley.proxy.exchange.Routes.mirrored;
import static io.parley.proxy.exchange.Routes.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.HttpLimits;
import io.parley.proxy.http.HttpTimeouts;
import io.parley.proxy.http1.RecordingServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies that nobody answers. */
class MirroringTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(10);

    private final AtomicInteger left = new AtomicInteger();
    private RecordingServer server;
    private Server mute;

    @BeforeEach
    void serve() throws IOException {
        server = RecordingServer.answering(_ -> "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        mute = Server.that(socket -> {
            socket.getInputStream().readAllBytes();
            left.incrementAndGet();
        });
    }

    @AfterEach
    void end() throws IOException {
        server.close();
        mute.close();
    }

    private HttpProxy proxy(Duration streamIdle, int requests) {
        return HttpProxy.with(
                HttpProxy.routed(
                        List.of(route(mirrored("shadow"))),
                        new HttpTimeouts(LONG, LONG, streamIdle, LONG),
                        HttpLimits.DEFAULT),
                HttpProxy.cluster("app", Version.HTTP1, server.port()),
                HttpProxy.cluster("shadow", new HttpUpstream(Version.HTTP1, requests, null, List.of()), mute.port()));
    }

    private static Cluster shadow(HttpProxy proxy) {
        return proxy.proxy().machinery().clusters().find("shadow").orElseThrow();
    }

    @Test
    void aCopyThatIsNotAnsweredIsGivenUp() throws IOException {
        try (HttpProxy proxy = proxy(SHORT, 100);
                Client client = Client.to(proxy.address())) {
            assertThat(client.ask(GET)).isEqualTo("ok");
            assertThat(client.ask(GET)).isEqualTo("ok");
            await().until(() -> left.get() == 2 && shadow(proxy).requests() == 0);
        }
    }

    @Test
    void aCopyIsARequestOfItsClusterAndMayBeOneTooMany() throws IOException {
        try (HttpProxy proxy = proxy(LONG, 2);
                Client client = Client.to(proxy.address())) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.ask(GET)).isEqualTo("ok");
            }
            assertThat(shadow(proxy).requests()).isEqualTo(2);
            await().until(() -> mute.accepted() == 2);
        }
    }
}
