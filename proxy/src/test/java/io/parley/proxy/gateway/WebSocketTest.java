package io.parley.proxy.gateway;

import static io.parley.proxy.gateway.Gateway.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.websocket.WebSocketClient;
import com.linecorp.armeria.client.websocket.WebSocketSession;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.websocket.WebSocketFrame;
import com.linecorp.armeria.common.websocket.WebSocketWriter;
import io.grpc.netty.NettyServerBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** WebSockets, whichever version of HTTP carries them on either side. */
class WebSocketTest {
    private static final EchoServer BACKEND = EchoServer.start("ws");

    private final Gateway gateway = new Gateway();

    @AfterEach
    void close() {
        gateway.close();
    }

    @AfterAll
    static void stop() {
        BACKEND.close();
    }

    @Test
    void case07_case08_anUpgradeWorksBesideOrdinaryRequests() throws Exception {
        gateway.backend(Gateway.http1("ws"), BACKEND.port()).http(to("/", "ws"));
        echoes();
        assertThat(Calls.http1(gateway.port(), "/plain").status().code()).isEqualTo(200);
    }

    @Test
    void case09_anHttp1ClientReachesAnH2cBackendByExtendedConnect() throws Exception {
        gateway.backend(Gateway.h2c("ws"), BACKEND.port()).http(to("/", "ws"));
        echoes();
    }

    @Test
    void case09_anH2cBackendWithoutWebSocketsIs502NamingTheCause() throws Exception {
        io.grpc.Server grpc = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .build()
                .start();
        try (HttpClient client = HttpClient.newHttpClient()) {
            gateway.backend(Gateway.h2c("grpc"), grpc.getPort()).http(to("/", "grpc"));
            assertThatThrownBy(() -> client.newWebSocketBuilder()
                            .buildAsync(URI.create("ws://127.0.0.1:" + gateway.port() + "/ws"), new Inbox())
                            .get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(WebSocketHandshakeException.class)
                    .cause()
                    .satisfies(cause -> assertThat(((WebSocketHandshakeException) cause)
                                    .getResponse()
                                    .statusCode())
                            .isEqualTo(502));
            assertThat(gateway.metrics()).contains("cause=\"bad-answer\"");
        } finally {
            grpc.shutdownNow();
        }
    }

    /** Text, binary, ping and close, three times in a row. */
    private void echoes() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (int i = 0; i < 3; i++) {
                Inbox inbox = new Inbox();
                WebSocket socket = client.newWebSocketBuilder()
                        .header("Origin", "http://shop.example")
                        .buildAsync(URI.create("ws://127.0.0.1:" + gateway.port() + "/ws"), inbox)
                        .get(30, TimeUnit.SECONDS);
                socket.sendText("hello", true).join();
                assertThat(inbox.next()).isEqualTo("text hello");
                socket.sendBinary(ByteBuffer.wrap("bytes".getBytes(StandardCharsets.UTF_8)), true)
                        .join();
                assertThat(inbox.next()).isEqualTo("binary bytes");
                socket.sendPing(ByteBuffer.wrap("p".getBytes(StandardCharsets.UTF_8)))
                        .join();
                assertThat(inbox.next()).isEqualTo("pong p");
                socket.sendClose(WebSocket.NORMAL_CLOSURE, "bye").join();
                assertThat(inbox.next()).startsWith("close");
            }
        }
    }

    private static final class Inbox implements WebSocket.Listener {
        private final BlockingQueue<String> got = new LinkedBlockingQueue<>();

        String next() throws InterruptedException {
            return String.valueOf(got.poll(30, TimeUnit.SECONDS));
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            got.add("text " + data);
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
            got.add("binary " + StandardCharsets.UTF_8.decode(data));
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer data) {
            got.add("pong " + StandardCharsets.UTF_8.decode(data));
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            got.add("close " + code);
            return null;
        }
    }

    @Test
    void case10_aWebSocketOverHttp2ReachesAnHttp1Backend() throws Exception {
        gateway.backend(Gateway.http1("ws"), BACKEND.port()).http(to("/", "ws"));
        echoesOverHttp2();
    }

    @Test
    void case10_aWebSocketOverHttp2ReachesAnH2cBackend() throws Exception {
        gateway.backend(Gateway.h2c("ws"), BACKEND.port()).http(to("/", "ws"));
        echoesOverHttp2();
    }

    private void echoesOverHttp2() throws InterruptedException {
        WebSocketClient client = WebSocketClient.of(SessionProtocol.H2C, Endpoint.of("127.0.0.1", gateway.port()));
        WebSocketSession session = client.connect("/ws").join();
        BlockingQueue<String> got = new LinkedBlockingQueue<>();
        session.inbound().subscribe(new Subscriber<>() {
            @Override
            public void onSubscribe(Subscription subscription) {
                subscription.request(Long.MAX_VALUE);
            }

            @Override
            public void onNext(WebSocketFrame frame) {
                try (frame) {
                    got.add(frame.type() + " " + new String(frame.array(), StandardCharsets.UTF_8));
                }
            }

            @Override
            public void onError(Throwable cause) {
                got.add(cause.toString());
            }

            @Override
            public void onComplete() {
                got.add("end");
            }
        });
        WebSocketWriter out = session.outbound();
        out.write("hello");
        assertThat(got.poll(30, TimeUnit.SECONDS)).isEqualTo("TEXT hello");
        out.write("bytes".getBytes(StandardCharsets.UTF_8));
        assertThat(got.poll(30, TimeUnit.SECONDS)).isEqualTo("BINARY bytes");
        out.close();
        assertThat(got.poll(30, TimeUnit.SECONDS)).startsWith("CLOSE");
    }
}
