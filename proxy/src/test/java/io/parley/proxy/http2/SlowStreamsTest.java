package io.parley.proxy.http2;

import static io.netty.handler.codec.http2.Http2CodecUtil.SETTINGS_INITIAL_WINDOW_SIZE;
import static io.parley.proxy.http2.FramePeer.LAST;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameTypes;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that do not get on, on a connection on which others do. */
class SlowStreamsTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(1);

    private static HttpProxy proxy(int port, HttpTimeouts timeouts) {
        return HttpProxy.with(
                HttpProxy.routed(List.of(Route.to("app")), timeouts, HttpLimits.DEFAULT),
                HttpProxy.cluster("app", Version.AS_RECEIVED, port));
    }

    @Test
    void c25_aBodyThatDoesNotEndIsGivenUp() throws IOException {
        try (Server server = FramePeer.echo();
                HttpProxy proxy = proxy(server.port(), new HttpTimeouts(LONG, LONG, LONG, SHORT));
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, 0, "POST", "/");
            client.data(1, 0, "abc");
            assertThat(client.message(1).status()).isEqualTo("408");
            assertThat(proxy.abuses("request-timeout")).isEqualTo(1);
            client.get(3, "/next");
            assertThat(client.message(3).text()).isEqualTo("GET /next ");
        }
    }

    @Test
    void aConversationMayTakeLongerThanARequest() throws IOException {
        HttpTimeouts patient = new HttpTimeouts(LONG, LONG, Duration.ofHours(1), Duration.ofMinutes(5));
        try (Server server = FramePeer.server(peer -> {
                    int call = peer.request();
                    int talk = peer.request();
                    peer.headers(talk, 0, ":status", "200");
                    assertThat(peer.message(call).text()).isEqualTo("late");
                    peer.headers(call, LAST, ":status", "200", "grpc-status", "0");
                    assertThat(peer.message(talk).text()).isEqualTo("later");
                    peer.data(talk, LAST, "end");
                    peer.drain();
                });
                HttpProxy proxy = proxy(server.port(), patient);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, 0, "POST", "/call", "content-type", "application/grpc");
            client.open(3, 0, "POST", "/talk");
            client.await(Http2FrameTypes.HEADERS);
            client.open(5, 0, "POST", "/request");
            await().until(() -> proxy.counted("request_total") == 3);
            proxy.pass(Duration.ofMinutes(6));
            assertThat(client.message(5).status()).isEqualTo("408");
            client.data(1, LAST, "late");
            assertThat(client.message(1).field("grpc-status")).isEqualTo("0");
            client.data(3, LAST, "later");
            assertThat(client.message(3).text()).isEqualTo("end");
        }
    }

    /** What a client may begin and never end, before there is a stream that could be given up. */
    enum Begun {
        PREFACE,
        FRAME_HEADER,
        FRAME,
        HEAD,
        HALF_OF_A_HEAD,
        FRAME_BESIDE_A_REQUEST,
        HEAD_BESIDE_A_REQUEST;

        private byte[] bytes() {
            return switch (this) {
                case PREFACE -> "PRI * HTTP/2.0\r\n\r\nSM".getBytes(ISO_8859_1);
                case FRAME_HEADER -> new byte[] {0, 0, 1};
                case FRAME, FRAME_BESIDE_A_REQUEST ->
                    new byte[] {0, 0, 8, Http2FrameTypes.PING, 0, 0, 0, 0, 0, 1, 2, 3};
                case HEAD -> FramePeer.frame(Http2FrameTypes.HEADERS, LAST, 1, (byte) 0x82);
                case HALF_OF_A_HEAD -> new byte[] {0, 0, 8, Http2FrameTypes.HEADERS, 5, 0, 0, 0, 1, (byte) 0x82};
                case HEAD_BESIDE_A_REQUEST -> FramePeer.frame(Http2FrameTypes.HEADERS, LAST, 3, (byte) 0x82);
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void c25_whatHasBegunAndDoesNotEndEndsTheConnection(Begun begun) throws IOException {
        try (Server server = FramePeer.server(FramePeer::drain);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client silent = Client.to(proxy.address());
                FramePeer client = FramePeer.client(proxy.address())) {
            if (begun == Begun.PREFACE) {
                silent.send(begun.bytes());
            } else {
                if (begun.name().endsWith("_BESIDE_A_REQUEST")) {
                    client.open(1, 0, "POST", "/", "content-type", "application/grpc");
                }
                client.raw(begun.bytes());
            }
            await().until(() -> {
                proxy.pass(Duration.ofSeconds(11));
                return proxy.abuses("head-timeout") == 1;
            });
            if (begun == Begun.PREFACE) {
                assertThat(silent.readAll()).isNotNull();
            } else {
                assertThat(client.farewell()).isEqualTo(Http2Error.NO_ERROR);
            }
        }
    }

    @Test
    void c25_aConnectionOnWhichNothingHasBegunMayBeIdle() throws IOException {
        try (Server server = FramePeer.echo();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer loris = FramePeer.client(proxy.address());
                FramePeer client = FramePeer.client(proxy.address())) {
            client.get(1, "/a");
            assertThat(client.message(1).text()).isEqualTo("GET /a ");
            loris.send(Http2FrameTypes.HEADERS, LAST, 1, (byte) 0x82);
            await().until(() -> {
                proxy.pass(Duration.ofSeconds(11));
                return proxy.abuses("head-timeout") == 1;
            });
            client.get(3, "/b");
            assertThat(client.message(3).text()).isEqualTo("GET /b ");
        }
    }

    @Test
    void aDrainNamesTheLastRequestWhileItIsUnderWay() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (Server server = FramePeer.server(peer -> {
                    int stream = peer.request();
                    await().until(() -> answer.getCount() == 0);
                    peer.headers(stream, LAST, ":status", "200");
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.get(1, "/");
            await().until(() -> proxy.counted("request_total") == 1);
            Thread draining = Thread.ofVirtual().start(() -> {
                try {
                    proxy.drain();
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            });
            assertThat(client.await(Http2FrameTypes.GO_AWAY).number(0)).isEqualTo(Integer.MAX_VALUE);
            proxy.pass(Duration.ofSeconds(6));
            assertThat(client.await(Http2FrameTypes.GO_AWAY).number(0)).isEqualTo(1);
            answer.countDown();
            assertThat(client.message(1).status()).isEqualTo("200");
            draining.join();
        }
    }

    @Test
    void c25_aClientThatOpensNoWindowIsLeft() throws IOException {
        try (RecordingServer server = RecordingServer.answering(
                        _ -> "HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n" + "x".repeat(100_000));
                HttpProxy proxy = HttpProxy.with(
                        HttpProxy.routed(
                                List.of(Route.to("app")),
                                new HttpTimeouts(LONG, LONG, SHORT, LONG),
                                HttpLimits.DEFAULT),
                        HttpProxy.cluster("app", Version.HTTP1, server.port()));
                FramePeer client = FramePeer.client(proxy.address(), SETTINGS_INITIAL_WINDOW_SIZE, 1)) {
            client.get(1, "/");
            assertThat(client.message(1).reset()).isEqualTo(Http2Error.INTERNAL_ERROR);
            assertThat(proxy.errors("stream-idle")).isEqualTo(1);
        }
    }

    /** All of the answer is there, so that the server is not waited for any more. */
    @Test
    void c25_anAnswerThatNobodyTakesIsNotKeptForEver() throws IOException {
        try (RecordingServer server = RecordingServer.answering(
                        _ -> "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n" + "x".repeat(1_000));
                HttpProxy proxy = HttpProxy.with(
                        HttpProxy.routed(
                                List.of(Route.to("app")),
                                new HttpTimeouts(LONG, LONG, SHORT, LONG),
                                HttpLimits.DEFAULT),
                        HttpProxy.cluster("app", Version.HTTP1, server.port()));
                FramePeer client = FramePeer.client(proxy.address(), SETTINGS_INITIAL_WINDOW_SIZE, 1)) {
            client.get(1, "/");
            assertThat(client.message(1).reset()).isEqualTo(Http2Error.CANCEL);
            assertThat(proxy.abuses("answer-timeout")).isEqualTo(1);
        }
    }

    /** Its windows are wide open, and its socket takes nothing. Where streams may be idle for ever it has the usual time. */
    @ParameterizedTest
    @ValueSource(longs = {0, 5})
    void c25_aClientThatReadsNothingIsLeft(long idleMinutes) throws IOException {
        int length = 64 << 20;
        try (Server server = Server.that(socket -> {
                    socket.getInputStream().read(new byte[1_024]);
                    String head = "HTTP/1.1 200 OK\r\ncontent-length: " + length + "\r\n\r\n";
                    socket.getOutputStream().write(head.getBytes(ISO_8859_1));
                    for (int sent = 0; sent < length; sent += 1 << 16) {
                        socket.getOutputStream().write(new byte[1 << 16]);
                    }
                });
                HttpProxy proxy = HttpProxy.with(
                        HttpProxy.routed(
                                List.of(Route.to("app")),
                                new HttpTimeouts(LONG, LONG, Duration.ofMinutes(idleMinutes), LONG),
                                HttpLimits.DEFAULT),
                        HttpProxy.cluster("app", Version.HTTP1, server.port()));
                FramePeer client = FramePeer.client(proxy.address(), SETTINGS_INITIAL_WINDOW_SIZE, length)) {
            client.window(0, length);
            client.get(1, "/");
            await().until(() -> {
                proxy.pass(Duration.ofMinutes(2));
                return proxy.connections() == 0;
            });
            assertThat(proxy.abuses("answer-timeout")).isEqualTo(1);
        }
    }
}
