package io.parley.proxy.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Headers;
import io.parley.proxy.app.Server;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One end of a connection of HTTP/2 that sends exactly the frames it is told to, be they sound or not. It blocks. */
final class FramePeer implements AutoCloseable {
    static final int LAST = 0x1;
    static final int ACK = 0x1;
    static final int END_HEADERS = 0x4;

    private static final int PATIENCE_MILLIS = 20_000;
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    /** A frame as it is on the wire. */
    record Frame(int type, int flags, int stream, ByteBuf payload) {
        int length() {
            return payload.readableBytes();
        }

        private byte[] bytes() {
            return ByteBufUtil.getBytes(payload);
        }

        boolean isLast() {
            return (type == Http2FrameTypes.DATA || type == Http2FrameTypes.HEADERS) && (flags & LAST) != 0;
        }

        /** The four bytes with which the payload of some frames begins, or ends. */
        long number(int at) {
            return payload.getUnsignedInt(at);
        }
    }

    /** What came on one stream: interim heads, the head and trailers in the order in which they came. */
    static final class Message {
        private final List<Http2Headers> heads = new ArrayList<>();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private @Nullable Http2Error reset;
        private boolean ended;

        Http2Headers head() {
            return heads.getFirst();
        }

        List<Http2Headers> heads() {
            return heads;
        }

        Http2Headers trailers() {
            return heads.getLast();
        }

        String status() {
            return String.valueOf(head().status());
        }

        String text() {
            return body.toString(ISO_8859_1);
        }

        @Nullable
        Http2Error reset() {
            return reset;
        }

        /** The value of a field of the head; null if it has none. */
        @Nullable
        String field(String name) {
            CharSequence value = head().get(name);
            return value == null ? null : value.toString();
        }
    }

    /** What a server does with a connection. */
    interface Talk {
        void with(FramePeer peer) throws IOException;
    }

    private final Socket socket;
    private final OutputStream out;
    private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false);
    private final Map<Integer, Message> messages = new HashMap<>();

    private FramePeer(Socket socket) throws IOException {
        this.socket = socket;
        this.out = socket.getOutputStream();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
    }

    /** A client that has sent its preface, with settings given as pairs of key and value. */
    static FramePeer client(InetSocketAddress address, int... settings) throws IOException {
        Socket socket = new Socket();
        socket.connect(address, PATIENCE_MILLIS);
        FramePeer peer = new FramePeer(socket);
        peer.out.write(PREFACE.getBytes(ISO_8859_1));
        peer.settings(settings);
        return peer;
    }

    /** A client on a connection that is open, and that has sent its preface. */
    static FramePeer on(Socket socket) throws IOException {
        FramePeer peer = new FramePeer(socket);
        peer.out.write(PREFACE.getBytes(ISO_8859_1));
        peer.settings();
        return peer;
    }

    /** A server that talks so on every connection, after its settings. */
    static Server server(Talk talk, int... settings) throws IOException {
        return Server.that(socket -> serve(socket, talk, settings));
    }

    /** Talks on one connection as a server does. */
    static void serve(Socket socket, Talk talk, int... settings) throws IOException {
        FramePeer peer = new FramePeer(socket);
        if (socket.getInputStream().readNBytes(PREFACE.length()).length == PREFACE.length()) {
            peer.settings(settings);
            talk.with(peer);
        }
    }

    /** A server that answers each request with 200 and, as content, its method, its path and its body. */
    static Server echo() throws IOException {
        return server(peer -> {
            while (true) {
                int stream = peer.request();
                Message request = peer.message(stream);
                peer.headers(stream, 0, ":status", "200");
                peer.data(
                        stream,
                        LAST,
                        request.head().method() + " " + request.head().path() + " " + request.text());
            }
        });
    }

    void settings(int... settings) throws IOException {
        ByteBuffer payload = ByteBuffer.allocate(settings.length * 3);
        for (int i = 0; i < settings.length; i += 2) {
            payload.putShort((short) settings[i]).putInt(settings[i + 1]);
        }
        send(Http2FrameTypes.SETTINGS, 0, 0, payload.array());
    }

    void send(int type, int flags, int stream, byte... payload) throws IOException {
        out.write(frame(type, flags, stream, payload));
    }

    static byte[] frame(int type, int flags, int stream, byte... payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .putInt((payload.length << 8) | type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    /** Bytes as they are. */
    void raw(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    /** A head; fields are pairs of name and value. */
    void headers(int stream, int flags, String... fields) throws IOException {
        send(Http2FrameTypes.HEADERS, flags | END_HEADERS, stream, block(fields));
    }

    /** The fields as HPACK writes them. */
    byte[] block(String... fields) {
        Http2Headers head = new DefaultHttp2Headers(false);
        for (int i = 0; i < fields.length; i += 2) {
            head.add(fields[i], fields[i + 1]);
        }
        ByteBuf block = Unpooled.buffer();
        try {
            encoder.encodeHeaders(1, head, block);
            return ByteBufUtil.getBytes(block);
        } catch (Http2Exception e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The head of a request, with more fields as pairs. */
    void open(int stream, int flags, String method, String path, String... more) throws IOException {
        List<String> fields = new ArrayList<>(
                List.of(":method", method, ":scheme", "http", ":authority", "app.example", ":path", path));
        fields.addAll(List.of(more));
        headers(stream, flags, fields.toArray(String[]::new));
    }

    /** Asks for a WebSocket (RFC 8441). */
    void connect(int stream, String path) throws IOException {
        headers(
                stream,
                0,
                ":method",
                "CONNECT",
                ":protocol",
                "websocket",
                ":scheme",
                "http",
                ":authority",
                "app.example",
                ":path",
                path,
                "sec-websocket-version",
                "13");
    }

    void get(int stream, String path) throws IOException {
        open(stream, LAST, "GET", path);
    }

    void data(int stream, int flags, String text) throws IOException {
        send(Http2FrameTypes.DATA, flags, stream, text.getBytes(ISO_8859_1));
    }

    void reset(int stream, Http2Error error) throws IOException {
        send(Http2FrameTypes.RST_STREAM, 0, stream, number(error.code()));
    }

    void window(int stream, int more) throws IOException {
        send(Http2FrameTypes.WINDOW_UPDATE, 0, stream, number(more));
    }

    void goAway(int lastStream, Http2Error error) throws IOException {
        send(
                Http2FrameTypes.GO_AWAY,
                0,
                0,
                ByteBuffer.allocate(8)
                        .putInt(lastStream)
                        .putInt((int) error.code())
                        .array());
    }

    static byte[] number(long value) {
        return ByteBuffer.allocate(4).putInt((int) value).array();
    }

    /** The next frame; settings and pings have been answered, and what belongs to a message has been added to it. */
    Frame next() throws IOException {
        byte[] head = socket.getInputStream().readNBytes(9);
        if (head.length < 9) {
            throw new EOFException("the connection ended");
        }
        ByteBuffer fields = ByteBuffer.wrap(head);
        int lengthAndType = fields.getInt();
        ByteBuf payload = Unpooled.wrappedBuffer(socket.getInputStream().readNBytes(lengthAndType >>> 8));
        Frame frame = new Frame(lengthAndType & 0xff, fields.get(), fields.getInt(), payload);
        take(frame);
        return frame;
    }

    private void take(Frame frame) throws IOException {
        boolean acknowledged = (frame.flags & ACK) != 0;
        switch (frame.type) {
            case Http2FrameTypes.SETTINGS, Http2FrameTypes.PING -> {
                if (!acknowledged) {
                    send(frame.type, ACK, 0, frame.type == Http2FrameTypes.PING ? frame.bytes() : new byte[0]);
                }
            }
            case Http2FrameTypes.HEADERS -> of(frame.stream).heads.add(decoded(frame));
            case Http2FrameTypes.DATA -> of(frame.stream).body.writeBytes(frame.bytes());
            case Http2FrameTypes.RST_STREAM -> of(frame.stream).reset = Http2Error.valueOf(frame.number(0));
            default -> {}
        }
        if (frame.isLast()) {
            of(frame.stream).ended = true;
        }
    }

    private Http2Headers decoded(Frame frame) {
        try {
            return decoder.decodeHeaders(frame.stream, frame.payload);
        } catch (Http2Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Message of(int stream) {
        return messages.computeIfAbsent(stream, _ -> new Message());
    }

    /** Reads on until a frame of this type comes. */
    Frame await(int type) throws IOException {
        Frame frame = next();
        while (frame.type != type) {
            frame = next();
        }
        return frame;
    }

    /** Reads on until a request begins, and returns its stream. */
    int request() throws IOException {
        return await(Http2FrameTypes.HEADERS).stream;
    }

    /** Reads on until the message on this stream is complete or reset. */
    Message message(int stream) throws IOException {
        Message message = of(stream);
        while (!message.ended && message.reset == null) {
            next();
        }
        return message;
    }

    /** What has come on this stream. */
    Message messageSoFar(int stream) {
        return of(stream);
    }

    /** Reads on until the other side leaves, and returns why. A connection that ends without a word counts as a reset. */
    @Nullable
    Http2Error farewell() {
        try {
            return Http2Error.valueOf(await(Http2FrameTypes.GO_AWAY).number(4));
        } catch (IOException _) {
            return null;
        }
    }

    /** Reads until the end of the connection. */
    void drain() {
        try {
            while (true) {
                next();
            }
        } catch (IOException _) {
            // That is the end.
        }
    }

    /** Takes what comes, and says nothing more until the other side gives up. */
    void silence() throws IOException {
        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    Socket socket() {
        return socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
