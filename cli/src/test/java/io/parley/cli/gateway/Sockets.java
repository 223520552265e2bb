package io.parley.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.websocket.WebSocketClient;
import com.linecorp.armeria.client.websocket.WebSocketSession;
import com.linecorp.armeria.common.websocket.WebSocketFrame;
import com.linecorp.armeria.common.websocket.WebSocketFrameType;
import com.linecorp.armeria.common.websocket.WebSocketWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** A client's end of a WebSocket whose other end sends everything back. */
final class Sockets implements AutoCloseable {
    private static final ClientFactory CLIENTS = ClientFactory.builder()
            .tlsNoVerify()
            .addressResolverGroupFactory(_ -> new Loopback())
            .build();

    private final BlockingQueue<String> got = new LinkedBlockingQueue<>();
    private final WebSocketWriter out;

    private Sockets(WebSocketSession session) {
        session.inbound().subscribe(new Inbox());
        this.out = session.outbound();
    }

    /** Opens one; {@code scheme} is a session protocol of Armeria's. Throws if the upgrade is refused. */
    static Sockets open(String scheme, String host, int port) {
        return new Sockets(WebSocketClient.builder("ws+" + scheme + "://" + host + ":" + port)
                .factory(CLIENTS)
                .build()
                .connect("/ws")
                .join());
    }

    /** As the conformance suite does, three times in a row: a text and some bytes come back. */
    static void expectEchoes(String scheme, String host, int port) {
        for (int at = 0; at < 3; at++) {
            try (Sockets socket = open(scheme, host, port)) {
                socket.expectEcho();
            }
        }
    }

    void expectEcho() {
        out.write("text");
        assertThat(next()).isEqualTo("TEXT text");
        out.write("bytes".getBytes(StandardCharsets.UTF_8));
        assertThat(next()).isEqualTo("BINARY bytes");
    }

    private @Nullable String next() {
        try {
            return got.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        out.close();
    }

    private final class Inbox implements Subscriber<WebSocketFrame> {
        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(WebSocketFrame frame) {
            try (frame) {
                if (frame.type() == WebSocketFrameType.TEXT || frame.type() == WebSocketFrameType.BINARY) {
                    got.add(frame.type() + " " + new String(frame.array(), StandardCharsets.UTF_8));
                }
            }
        }

        @Override
        public void onError(Throwable failure) {
            got.add(failure.toString());
        }

        @Override
        public void onComplete() {
            got.add("end");
        }
    }
}
