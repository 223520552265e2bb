package io.parley.proxy.http2;

import static io.netty.handler.codec.http2.Http2CodecUtil.SETTINGS_INITIAL_WINDOW_SIZE;
import static io.netty.handler.codec.http2.Http2FrameTypes.CONTINUATION;
import static io.netty.handler.codec.http2.Http2FrameTypes.DATA;
import static io.netty.handler.codec.http2.Http2FrameTypes.GO_AWAY;
import static io.netty.handler.codec.http2.Http2FrameTypes.HEADERS;
import static io.netty.handler.codec.http2.Http2FrameTypes.PING;
import static io.netty.handler.codec.http2.Http2FrameTypes.PRIORITY;
import static io.netty.handler.codec.http2.Http2FrameTypes.RST_STREAM;
import static io.netty.handler.codec.http2.Http2FrameTypes.SETTINGS;
import static io.netty.handler.codec.http2.Http2FrameTypes.WINDOW_UPDATE;
import static io.parley.proxy.http2.FramePeer.END_HEADERS;
import static io.parley.proxy.http2.FramePeer.LAST;
import static io.parley.proxy.http2.FramePeer.frame;
import static io.parley.proxy.http2.FramePeer.number;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http2.Http2Error;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames that cost the sender nothing: each kind ends the connection, is counted under its own name, and harms nobody else. */
class FloodTest {
    private static final int FRAMES = 10_000;

    /** Few enough for other connections to have their turn in between. */
    private static final int ROUND = 100;

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** A flood, by what it is counted as. */
    enum Flood {
        PING_FLOOD,
        SETTINGS_FLOOD,
        PRIORITY_FLOOD,
        WINDOW_UPDATE_FLOOD,
        UNKNOWN_FRAME_FLOOD,
        EMPTY_DATA_FLOOD,
        CONTINUATION_FLOOD,
        CONTINUATION_FLOOD_BYTE_BY_BYTE,

        /** CVE-2023-44487. */
        RAPID_RESET;

        String word() {
            Flood counted = this == CONTINUATION_FLOOD_BYTE_BY_BYTE ? CONTINUATION_FLOOD : this;
            return counted.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        private byte[] part(int i, int open) {
            int fresh = open + 2 * i + 2;
            return switch (this) {
                case PING_FLOOD -> frame(PING, 0, 0, new byte[8]);
                case SETTINGS_FLOOD -> frame(SETTINGS, 0, 0);
                case PRIORITY_FLOOD -> frame(PRIORITY, 0, open, new byte[5]);
                case WINDOW_UPDATE_FLOOD -> frame(WINDOW_UPDATE, 0, 0, number(1));
                case UNKNOWN_FRAME_FLOOD -> frame(0xfa, 0, 0);
                case EMPTY_DATA_FLOOD -> frame(DATA, 0, open);
                case CONTINUATION_FLOOD -> i == 0 ? frame(HEADERS, 0, open) : frame(CONTINUATION, 0, open);
                case CONTINUATION_FLOOD_BYTE_BY_BYTE ->
                    i == 0 ? frame(HEADERS, 0, open) : frame(CONTINUATION, 0, open, ACCEPT_CHARSET);
                case RAPID_RESET ->
                    joined(
                            frame(HEADERS, LAST | END_HEADERS, fresh, REQUEST),
                            frame(RST_STREAM, 0, fresh, number(Http2Error.CANCEL.code())));
            };
        }

        /** All of it, on a connection on which this stream is open. */
        private byte[] on(int open) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int i = 0; i < FRAMES; i++) {
                all.writeBytes(part(i, open));
            }
            return all.toByteArray();
        }
    }

    /** A field of one byte, from the static table of HPACK: {@code accept-charset} without a value. */
    private static final byte ACCEPT_CHARSET = (byte) (0x80 | 15);

    /** {@code GET / http a}, from the static table of HPACK. */
    private static final byte[] REQUEST = {(byte) 0x82, (byte) 0x84, (byte) 0x86, 0x01, 0x01, 'a'};

    private static byte[] joined(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    @ParameterizedTest
    @EnumSource
    void endsTheConnectionOfAClient(Flood flood) throws IOException {
        try (Server server = FramePeer.server(FramePeer::drain);
                HttpProxy proxy = RapidResetTest.edge(server.port());
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, 0, "POST", "/");
            sendFor(client, flood.on(1));
            assertThat(client.farewell()).isIn(Http2Error.ENHANCE_YOUR_CALM, null);
            await().until(() -> proxy.abuses(flood.word()) == 1);
        }
    }

    /** CVE-2025-8671: a window that grows beyond all bounds is the client's mistake, and the stream is the server's to reset. */
    @Test
    void endsTheConnectionOfAClientThatMakesTheServerReset() throws IOException {
        try (Server server = FramePeer.server(FramePeer::drain);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            int made = 0;
            FramePeer.Frame answer;
            do {
                int stream = 2 * made++ + 1;
                client.open(stream, 0, "POST", "/");
                client.window(stream, Integer.MAX_VALUE);
                do {
                    answer = client.next();
                } while (answer.type() != RST_STREAM && answer.type() != GO_AWAY);
            } while (answer.type() == RST_STREAM && made < 500);
            assertThat(answer.type()).isEqualTo((int) GO_AWAY);
            assertThat(proxy.abuses("made-reset")).isEqualTo(1);
        }
    }

    /** What a server can send. */
    static Stream<Flood> endsTheConnectionToAServer() {
        return Stream.of(
                Flood.PING_FLOOD,
                Flood.SETTINGS_FLOOD,
                Flood.PRIORITY_FLOOD,
                Flood.WINDOW_UPDATE_FLOOD,
                Flood.UNKNOWN_FRAME_FLOOD,
                Flood.EMPTY_DATA_FLOOD,
                Flood.CONTINUATION_FLOOD,
                Flood.CONTINUATION_FLOOD_BYTE_BY_BYTE);
    }

    @ParameterizedTest
    @MethodSource
    void endsTheConnectionToAServer(Flood flood) throws IOException {
        try (Server server = FramePeer.server(peer -> {
                    int stream = peer.request();
                    peer.headers(stream, 0, ":status", "200");
                    sendFor(peer, flood.on(stream));
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address()).send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")) {
            assertThat(client.read(15)).isEqualTo("HTTP/1.1 200 OK");
            await().until(() -> proxy.errors("server-" + flood.word()) == 1);
            await().until(() -> proxy.errors("cut-off") == 1);
        }
    }

    /** It may reset each stream once: more than it was asked for is a flood. */
    @Test
    void endsTheConnectionToAServerThatResetsOverAndOver() throws IOException {
        try (Server server = FramePeer.server(peer -> {
                    int stream = peer.request();
                    for (int i = 0; i < 300; i++) {
                        peer.reset(stream, Http2Error.INTERNAL_ERROR);
                    }
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address()).send("POST / HTTP/1.1\r\nHost: x\r\n\r\n")) {
            assertThat(client.read(12)).isEqualTo("HTTP/1.1 502");
            await().until(() -> proxy.errors("server-rapid-reset") == 1);
        }
    }

    /** Each window that grows by nothing is a mistake for which the stream is reset here (CVE-2025-8671): the same by the other hand. */
    @Test
    void endsTheConnectionToAServerThatMakesTheProxyReset() throws IOException {
        try (Server server = FramePeer.server(peer -> {
                    int stream = peer.request();
                    for (int i = 0; i < 300; i++) {
                        peer.window(stream, 0);
                    }
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address()).send("POST / HTTP/1.1\r\nHost: x\r\n\r\n")) {
            assertThat(client.read(12)).isEqualTo("HTTP/1.1 502");
            await().until(() -> proxy.errors("server-made-reset") == 1);
        }
    }

    /** As programs of gRPC do, to find out how much fits on the way. */
    @Test
    void aPeerMayPingWithEachPieceOfContent() throws IOException {
        int pieces = 600;
        try (Server server = FramePeer.server(peer -> {
                    int stream = peer.request();
                    peer.headers(stream, 0, ":status", "200");
                    for (int i = 0; i < pieces; i++) {
                        peer.await(DATA);
                        peer.send(PING, 0, 0, new byte[8]);
                        peer.data(stream, i == pieces - 1 ? LAST : 0, "x");
                    }
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, 0, "POST", "/", "content-type", "application/grpc");
            for (int i = 0; i < pieces; i++) {
                client.data(1, i == pieces - 1 ? LAST : 0, "y");
                client.await(DATA);
                client.send(PING, 0, 0, new byte[8]);
            }
            assertThat(client.message(1).text()).hasSize(pieces);
            assertThat(proxy.abuses("ping-flood") + proxy.errors("server-ping-flood"))
                    .isZero();
        }
    }

    @Test
    void c8_aNeighbourIsServedMeanwhile() throws IOException {
        try (Server server = FramePeer.echo();
                HttpProxy proxy = RapidResetTest.edge(server.port());
                FramePeer neighbour = FramePeer.client(proxy.address());
                FramePeer client = FramePeer.client(proxy.address())) {
            sendFor(client, Flood.RAPID_RESET.on(1));
            neighbour.get(1, "/a");
            assertThat(neighbour.message(1).text()).isEqualTo("GET /a ");
            await().until(() -> proxy.abuses("rapid-reset") == 1);
            assertThat(proxy.counted("request_total")).isLessThanOrEqualTo(500);
            neighbour.get(3, "/b");
            assertThat(neighbour.message(3).text()).isEqualTo("GET /b ");
        }
    }

    @Test
    void c24_aSmallBlockThatUnfoldsToAHugeHeadIsRefused() throws IOException {
        for (String name : new String[] {"x-bomb", "cookie"}) {
            try (Server server = FramePeer.echo();
                    HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                    FramePeer client = FramePeer.client(proxy.address())) {
                // One entry of the dynamic table, and then a thousand references to it, a byte each.
                ByteArrayOutputStream block = new ByteArrayOutputStream();
                block.writeBytes(REQUEST);
                block.writeBytes(client.block(name, "b".repeat(3_900)));
                byte newest = (byte) (0x80 | 62);
                for (int i = 0; i < 1_000; i++) {
                    block.write(newest);
                }
                client.send(HEADERS, LAST | END_HEADERS, 1, block.toByteArray());
                FramePeer.Message answer = client.message(1);
                assertThat(answer.heads().isEmpty() ? "431" : answer.status()).isEqualTo("431");
                assertThat(proxy.abuses("head-too-large")).isEqualTo(1);
                assertThat(proxy.counted("request_total")).isZero();
            }
        }
    }

    @Test
    void c24_aServersSmallBlockThatUnfoldsToAHugeHeadIsNoAnswer() throws IOException {
        try (Server server = FramePeer.server(peer -> {
                    int stream = peer.request();
                    ByteArrayOutputStream block = new ByteArrayOutputStream();
                    block.write(0x88); // :status 200
                    block.writeBytes(peer.block("set-cookie", "b".repeat(3_900)));
                    for (int i = 0; i < 1_000; i++) {
                        block.write(0x80 | 62);
                    }
                    peer.send(HEADERS, LAST | END_HEADERS, stream, block.toByteArray());
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address()).send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")) {
            assertThat(client.read(12)).isEqualTo("HTTP/1.1 502");
            assertThat(proxy.errors("server-head-too-large")).isEqualTo(1);
        }
    }

    /** Case 23: what a peer that does not read is answered would pile up. Content earns it the right to ping. */
    @Test
    void c23_aClientThatNeverReadsIsLeft() throws IOException {
        int length = 64 << 20;
        try (Server server = Server.that(socket -> {
                    socket.getInputStream().read(new byte[1_024]);
                    socket.getOutputStream()
                            .write(("HTTP/1.1 200 OK\r\ncontent-length: " + length + "\r\n\r\n").getBytes(ISO_8859_1));
                    for (int i = 0; i < length >> 16; i++) {
                        socket.getOutputStream().write(new byte[1 << 16]);
                    }
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address(), SETTINGS_INITIAL_WINDOW_SIZE, length)) {
            client.window(0, length);
            client.get(1, "/");
            client.open(3, 0, "POST", "/");
            Thread.ofVirtual().start(() -> pingFor(client, 3, () -> proxy.counted("tcp_read_bytes_total")));
            await().atMost(PATIENCE).until(() -> proxy.abuses("unread-control-frames") == 1);
        }
    }

    @Test
    void c23_aServerThatNeverReadsIsLeft() throws IOException {
        int length = 64 << 20;
        AtomicLong arrived = new AtomicLong();
        try (Server server = FramePeer.server(
                        peer -> {
                            peer.window(0, length);
                            int stream = peer.request();
                            peer.headers(stream, 0, ":status", "200");
                            pingFor(peer, stream, arrived::get);
                        },
                        SETTINGS_INITIAL_WINDOW_SIZE,
                        length);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address())) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\ncontent-length: " + length + "\r\n\r\n");
            Thread.ofVirtual().start(() -> untilCutOff(() -> client.send(new byte[1 << 16])));
            Thread.ofVirtual()
                    .start(() -> untilCutOff(() -> {
                        String some = client.read(1);
                        if (some.isEmpty()) {
                            throw new EOFException();
                        }
                        arrived.addAndGet(some.equals("x") ? 1 : 0);
                    }));
            await().atMost(PATIENCE).until(() -> proxy.errors("server-unread-control-frames") == 1);
        }
    }

    /** Something that goes on until there is no connection any more. */
    private interface Step {
        void run() throws IOException;
    }

    private static void untilCutOff(Step step) {
        try {
            while (true) {
                step.run();
            }
        } catch (IOException _) {
            // The other side has hung up.
        }
    }

    /**
     * Pings, each with a byte of content, until the other side has had enough. It goes on when what it sent has arrived: bytes of which
     * more wait than the proxy takes at once would keep it from filling the connection on which the answers shall pile up.
     */
    private static void pingFor(FramePeer peer, int stream, LongSupplier arrived) {
        byte[] pair = joined(frame(DATA, 0, stream, (byte) 'x'), frame(PING, 0, 0, new byte[8]));
        byte[] round = new byte[ROUND * pair.length];
        for (int i = 0; i < ROUND; i++) {
            System.arraycopy(pair, 0, round, i * pair.length, pair.length);
        }
        AtomicLong sent = new AtomicLong();
        untilCutOff(() -> {
            peer.raw(round);
            sent.addAndGet(ROUND);
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() ->
                            arrived.getAsLong() >= sent.get() || peer.socket().isClosed());
        });
    }

    /** Writes until the other side has had enough. */
    private static void sendFor(FramePeer peer, byte[] bytes) {
        Thread.ofVirtual().start(() -> {
            try {
                peer.raw(bytes);
            } catch (IOException _) {
                // It has hung up.
            }
        });
    }
}
