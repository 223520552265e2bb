package io.parley.proxy.http2;

import static io.parley.proxy.http2.FramePeer.END_HEADERS;
import static io.parley.proxy.http2.FramePeer.LAST;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http2.Http2FrameTypes;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server that is gone without a word, with its machine or with the way to it, is found out (case 36). So is one that is there, and keeps everybody waiting
 * by a frame that it does not end.
 */
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

    /** What a server sends byte by byte, so that it is never silent. */
    enum Drip {
        FRAME_HEADER,
        HEAD;

        private byte[] bytes(int stream) {
            return switch (this) {
                case FRAME_HEADER -> Arrays.copyOf(FramePeer.frame(Http2FrameTypes.PING, 0, 0, new byte[8]), 8);
                case HEAD -> FramePeer.frame(Http2FrameTypes.HEADERS, LAST | END_HEADERS, stream, new byte[100]);
            };
        }
    }

    /** Bytes that leave one by one, when they are asked for. */
    private static final class Dripping {
        private static final Duration STEP = Duration.ofSeconds(3);

        private final Semaphore wanted = new Semaphore(0);
        private final AtomicInteger sent = new AtomicInteger();
        private int asked;

        void send(FramePeer peer, byte[] bytes) throws IOException {
            for (byte one : bytes) {
                wanted.acquireUninterruptibly();
                try {
                    peer.raw(new byte[] {one});
                } finally {
                    // Nobody may be there to take it any more, which is not for who waits here to find out.
                    sent.incrementAndGet();
                }
            }
        }

        /** One more, and then time for the proxy: what has come before the time has passed is seen first. */
        void drop(HttpProxy proxy) {
            asked++;
            wanted.release();
            await().until(() -> sent.get() == asked);
            proxy.pass(STEP);
        }
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

    /** It has not said what it speaks, so it is not known to speak something else. */
    @Test
    void c36_aServerThatHasNeverSaidAnythingIsTriedAgain() throws IOException {
        AtomicInteger connections = new AtomicInteger();
        try (Server server = Server.that(socket -> {
                    if (connections.incrementAndGet() == 1) {
                        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
                    } else {
                        FramePeer.serve(socket, peer -> {
                            int stream = peer.request();
                            peer.headers(stream, 0, ":status", "200");
                            peer.data(stream, LAST, "back");
                        });
                    }
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.get(1, "/");
            await().until(() -> server.accepted() == 1);
            waitFor(proxy);
            assertThat(answer(proxy, client, 1).text()).isEqualTo("back");
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

    @ParameterizedTest
    @EnumSource
    void oneThatDripsIsReplaced(Drip drip) throws IOException {
        Dripping dripping = new Dripping();
        AtomicInteger connections = new AtomicInteger();
        try (Server server = FramePeer.server(peer -> {
                    boolean drips = connections.incrementAndGet() == 1;
                    while (true) {
                        int stream = peer.request();
                        if (drips) {
                            dripping.send(peer, drip.bytes(stream));
                            peer.silence();
                        }
                        peer.headers(stream, 0, ":status", "200");
                        peer.data(stream, LAST, "back");
                    }
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.get(1, "/");
            for (int i = 0; i < 6; i++) {
                dripping.drop(proxy);
            }
            assertThat(answer(proxy, client, 1).text()).isEqualTo("back");
            client.open(3, LAST, "POST", "/");
            assertThat(answer(proxy, client, 3).text()).isEqualTo("back");
            assertThat(server.accepted()).isEqualTo(2);
            assertThat(proxy.errors("server-head-timeout")).isEqualTo(1);
            assertThat(proxy.errors("server-silent")).isZero();
        }
    }

    /** Others wait for that as well; but it is progress, and the frame is one that the server was asked for. */
    @Test
    void oneWhoseContentDripsIsWaitedFor() throws IOException {
        String text = "drip by drip";
        Dripping dripping = new Dripping();
        try (Server server = FramePeer.server(peer -> {
                    int stream = peer.request();
                    peer.headers(stream, 0, ":status", "200");
                    byte[] frame = FramePeer.frame(Http2FrameTypes.DATA, LAST, stream, text.getBytes(US_ASCII));
                    int content = frame.length - text.length();
                    peer.raw(Arrays.copyOf(frame, content));
                    dripping.send(peer, Arrays.copyOfRange(frame, content, frame.length));
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.get(1, "/");
            for (int i = 0; i < text.length(); i++) {
                dripping.drop(proxy);
            }
            assertThat(client.message(1).text()).isEqualTo(text);
            assertThat(proxy.errors("server-head-timeout")).isZero();
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
