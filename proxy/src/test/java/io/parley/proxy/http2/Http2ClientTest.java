package io.parley.proxy.http2;

import static io.netty.handler.codec.http2.Http2CodecUtil.SETTINGS_INITIAL_WINDOW_SIZE;
import static io.netty.handler.codec.http2.Http2CodecUtil.SETTINGS_MAX_CONCURRENT_STREAMS;
import static io.parley.proxy.http2.FramePeer.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http2.FramePeer.Frame;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How the proxy uses servers of HTTP/2, and what they cannot do to it. */
class Http2ClientTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc";

    private final AtomicInteger connections = new AtomicInteger();

    /** A server whose connections are told apart by their number, from 1. */
    private Server server(NumberedTalk talk, int... settings) throws IOException {
        return FramePeer.server(peer -> talk.with(peer, connections.incrementAndGet()), settings);
    }

    private interface NumberedTalk {
        void with(FramePeer peer, int connection) throws IOException;
    }

    private static void answer(FramePeer peer, int stream) throws IOException {
        peer.headers(stream, 0, ":status", "200", "content-length", "2");
        peer.data(stream, LAST, "ok");
    }

    @Test
    void manyClientsShareOneConnection() throws IOException {
        int count = 20;
        try (Server server = server((peer, _) -> {
                    List<Integer> open = new ArrayList<>();
                    while (open.size() < count) {
                        open.add(peer.request());
                    }
                    for (int stream : open) {
                        answer(peer, stream);
                    }
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2)) {
            List<Client> clients = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                clients.add(Client.to(proxy.address()).send(GET));
            }
            for (Client client : clients) {
                assertThat(client.read(40)).endsWith("ok");
                client.close();
            }
            assertThat(connections).hasValue(1);
        }
    }

    @Test
    void keepsToTheNumberOfStreamsThatTheServerAllows() throws IOException {
        try (Server server = server(
                        (peer, _) -> {
                            while (true) {
                                int stream = peer.request();
                                // A second request here would be one too many.
                                peer.send(Http2FrameTypes.PING, 0, 0, new byte[8]);
                                assertThat(peer.next().type()).isNotEqualTo((int) Http2FrameTypes.HEADERS);
                                answer(peer, stream);
                            }
                        },
                        SETTINGS_MAX_CONCURRENT_STREAMS,
                        1);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client first = Client.to(proxy.address()).send(GET)) {
            assertThat(first.read(40)).endsWith("ok");
            try (Client second = Client.to(proxy.address()).send(GET)) {
                first.send(GET);
                assertThat(first.read(40)).endsWith("ok");
                assertThat(second.read(40)).endsWith("ok");
            }
        }
    }

    @Test
    void aRequestThatALeavingServerHasNotSeenIsSentAgain() throws IOException {
        try (Server server = server((peer, connection) -> {
                    int stream = peer.request();
                    if (connection == 1) {
                        peer.goAway(0, Http2Error.NO_ERROR);
                    } else {
                        assertThat(peer.message(stream).text()).isEqualTo("abc");
                        answer(peer, stream);
                    }
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address()).send(POST)) {
            assertThat(client.read(40)).startsWith("HTTP/1.1 200").endsWith("ok");
            assertThat(connections).hasValue(2);
        }
    }

    @Test
    void aRequestThatALeavingServerHasSeenIsAnswered() throws IOException {
        try (Server server = server((peer, _) -> {
                    int stream = peer.request();
                    peer.goAway(stream, Http2Error.NO_ERROR);
                    peer.message(stream);
                    answer(peer, stream);
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address())) {
            for (int request = 1; request <= 3; request++) {
                assertThat(client.send(POST).read(40)).endsWith("ok");
                assertThat(connections).hasValue(request);
            }
        }
    }

    @Test
    void aStreamThatTheServerRefusesIsOpenedAgain() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        try (Server server = server((peer, _) -> {
                    while (true) {
                        int stream = peer.request();
                        if (requests.incrementAndGet() == 1) {
                            peer.reset(stream, Http2Error.REFUSED_STREAM);
                        } else {
                            answer(peer, stream);
                        }
                    }
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address()).send(POST)) {
            assertThat(client.read(40)).endsWith("ok");
            assertThat(proxy.counted("http_retries_total")).isEqualTo(1);
        }
    }

    @Test
    void aStreamThatTheServerResetsIsNotOpenedAgain() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        try (Server server = server((peer, _) -> {
                    while (true) {
                        int stream = peer.request();
                        requests.incrementAndGet();
                        peer.reset(stream, Http2Error.INTERNAL_ERROR);
                    }
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address()).send(POST)) {
            assertThat(client.read(100)).startsWith("HTTP/1.1 502").contains("x-parley-error: no-answer");
            assertThat(requests).hasValue(1);
        }
    }

    @Test
    void sendsNoMoreThanTheServerHasAWindowFor() throws IOException {
        try (Server server = server(
                        (peer, _) -> {
                            answer(peer, peer.request());
                            int stream = peer.request();
                            Frame first = peer.await(Http2FrameTypes.DATA);
                            assertThat(first.length()).isEqualTo(2);
                            peer.window(stream, 100);
                            assertThat(peer.message(stream).text()).isEqualTo("abc");
                            answer(peer, stream);
                            peer.drain();
                        },
                        SETTINGS_INITIAL_WINDOW_SIZE,
                        2);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address())) {
            // The first request may be sent before the server's settings are known.
            assertThat(client.send(GET).read(40)).endsWith("ok");
            assertThat(client.send(POST).read(40)).endsWith("ok");
        }
    }

    static List<List<String>> anAnswerThatIsNoneIsA502() {
        return List.of(
                List.of(":status", "200", "a", "b\r\nc: d"),
                List.of(":status", "200", "a\r\nb", "c"),
                List.of(":status", "abc"),
                List.of(":status", "1"),
                List.of("a", "b"),
                List.of(":status", "103"),
                List.of(":status", "101"),
                List.of(":status", "200", "content-length", "5"),
                List.of(":status", "200", "connection", "close"),
                List.of(":status", "200", "transfer-encoding", "chunked"));
    }

    @ParameterizedTest
    @MethodSource
    void anAnswerThatIsNoneIsA502(List<String> fields) throws IOException {
        try (Server server = server((peer, _) -> {
                    peer.headers(peer.request(), LAST, fields.toArray(String[]::new));
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address()).send(GET)) {
            assertThat(client.read(100)).startsWith("HTTP/1.1 502");
        }
    }

    @Test
    void contentBeforeTheHeadIsNoAnswer() throws IOException {
        try (Server server = server((peer, _) -> {
                    peer.data(peer.request(), 0, "HTTP/1.1 200 OK");
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address()).send(GET)) {
            assertThat(client.read(100)).startsWith("HTTP/1.1 502");
        }
    }

    /** Else it would stay open for good, and a hundred of them would fill the connection. */
    @Test
    void aStreamThatIsAnsweredBeforeItsRequestHasEndedIsReset() throws IOException {
        AtomicInteger resets = new AtomicInteger();
        try (Server server = server((peer, _) -> {
                    answer(peer, peer.request());
                    peer.await(Http2FrameTypes.RST_STREAM);
                    resets.incrementAndGet();
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address())) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\ncontent-length: 5\r\n\r\nab");
            assertThat(client.read(40)).contains("200 OK");
            await().until(() -> resets.get() == 1);
        }
    }

    @Test
    void aConnectionThatTheServerClosesIsReplaced() throws IOException {
        try (Server server = server((peer, _) -> {
                    int stream = peer.request();
                    answer(peer, stream);
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address())) {
            for (int request = 1; request <= 5; request++) {
                assertThat(client.send(GET).read(40)).endsWith("ok");
                int sofar = request;
                await().until(() -> connections.get() == sofar);
            }
        }
    }
}
