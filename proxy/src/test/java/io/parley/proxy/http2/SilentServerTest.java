package io.parley.proxy.http2;

import static io.parley.proxy.http2.FramePeer.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http2.Http2FrameTypes;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A server that is gone without a word, with its machine or with the way to it, is found out (case 36). */
class SilentServerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(11);

    /** One whose first connection goes dead at its first request. */
    private static Server goingDead() throws IOException {
        AtomicInteger connections = new AtomicInteger();
        return FramePeer.server(peer -> {
            boolean dies = connections.incrementAndGet() == 1;
            while (true) {
                int stream = peer.request();
                if (dies) {
                    peer.silence();
                }
                peer.headers(stream, 0, ":status", "200");
                peer.data(stream, LAST, "back");
            }
        });
    }

    private static void waitFor(HttpProxy proxy) {
        await().until(() -> {
            proxy.pass(PATIENCE);
            return proxy.errors("server-silent") == 1;
        });
    }

    /** Time goes on while an answer is waited for: what is tried again may be due a moment later. */
    private static FramePeer.Message answer(HttpProxy proxy, FramePeer client, int stream) {
        CompletableFuture<FramePeer.Message> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(client.message(stream));
            } catch (IOException | RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            proxy.pass(Duration.ofMillis(50));
            return answer.isDone();
        });
        return answer.join();
    }

    @Test
    void c36_aRequestThatMayBeRepeatedIs() throws IOException {
        try (Server server = goingDead();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.get(1, "/");
            await().until(() -> server.accepted() == 1);
            waitFor(proxy);
            assertThat(answer(proxy, client, 1).text()).isEqualTo("back");
            assertThat(server.accepted()).isGreaterThan(1);
            assertThat(proxy.errors("server-silent"))
                    .as("it is given up at once")
                    .isEqualTo(1);
        }
    }

    @Test
    void c36_aRequestThatMayNotBeRepeatedFails() throws IOException {
        try (Server server = goingDead();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, LAST, "POST", "/");
            await().until(() -> server.accepted() == 1);
            waitFor(proxy);
            assertThat(answer(proxy, client, 1).status()).isEqualTo("502");
            assertThat(proxy.errors("server-silent"))
                    .as("it is given up at once")
                    .isEqualTo(1);
            client.open(3, LAST, "POST", "/");
            assertThat(answer(proxy, client, 3).text()).isEqualTo("back");
        }
    }

    @Test
    void c36_oneThatTakesItsTimeAndAnswersPingsIsWaitedFor() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        try (Server server = FramePeer.server(peer -> {
                    int stream = peer.request();
                    peer.await(Http2FrameTypes.PING);
                    asked.incrementAndGet();
                    peer.headers(stream, LAST, ":status", "200");
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, LAST, "POST", "/");
            await().until(() -> server.accepted() == 1);
            // In steps that leave a busy machine the time to answer.
            await().until(() -> {
                proxy.pass(asked.get() == 1 ? Duration.ZERO : Duration.ofSeconds(2));
                return asked.get() == 1;
            });
            assertThat(client.message(1).status()).isEqualTo("200");
            assertThat(proxy.errors("server-silent")).isZero();
        }
    }
}
