package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.AsciiString;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.exchange.AnswerSink;
import io.parley.proxy.exchange.Exchange;
import io.parley.proxy.exchange.RequestSource;
import io.parley.proxy.http.HttpConfig.PathHandling;
import io.parley.proxy.http1.OriginFields;
import io.parley.proxy.http1.WebSocketKey;
import io.parley.proxy.route.PathNormal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One request over HTTP/2. */
final class Http2ServerStream implements RequestSource, AnswerSink {
    private static final AsciiString ACCEPT = new AsciiString("sec-websocket-accept");
    private static final AsciiString HOST = new AsciiString("host");
    private static final AsciiString KEY = new AsciiString("sec-websocket-key");
    private static final AsciiString OK = new AsciiString("200");
    private static final AsciiString BAD_GATEWAY = new AsciiString("502");

    /** How long a client may take to end its side of a tunnel whose other side has ended. */
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Http2Server server;
    private final Http2Stream stream;
    private final Exchange exchange;
    private final ArrayDeque<ByteBuf> early = new ArrayDeque<>(0);
    private final Http2Headers head;
    private @Nullable Http2Headers earlyTrailers;
    private boolean bodyless;
    private boolean requestDone;
    private boolean pumping;
    private boolean paused;
    private boolean answered;
    private int unconsumed;
    private long begunAt;
    private long answeredAt;
    private long bodyBytes;

    Http2ServerStream(Http2Server server, Http2Stream stream, Http2Headers head) {
        this.server = server;
        this.stream = stream;
        this.head = head;
        this.exchange = new Exchange(server.loop(), server.connection(), server.way(), this, this);
    }

    void begin(boolean last) {
        bodyless = last;
        requestDone = last;
        begunAt = server.loop().now();
        if (head.authority() == null && head.contains(HOST)) {
            head.authority(head.get(HOST));
        }
        head.remove(HOST);
        if (head.path().length() > server.way().config().limits().line()) {
            exchange.refuse(414, "uri-too-long", "the path is too long");
            return;
        }
        // The asterisk of OPTIONS is no path.
        if (server.way().config().paths() == PathHandling.NORMALISED
                && head.path().charAt(0) == '/') {
            String normal = PathNormal.of(head.path().toString());
            if (normal == null) {
                exchange.refuse(400, "path", "the path can be read in more than one way");
                return;
            }
            head.path(new AsciiString(normal));
        }
        exchange.begin(new Http2View(head));
    }

    /** Takes content and says how much of it the client may send anew. */
    int received(ByteBuf data, int padding, boolean last) {
        int length = data.readableBytes();
        requestDone |= last;
        if (answered || !exchange.isOpen()) {
            return length + padding;
        }
        bodyBytes += length;
        long limit = server.way().config().limits().body();
        if (limit > 0 && bodyBytes > limit && !exchange.isTunnel()) {
            exchange.fail(413, "body-too-large", "the body is larger than " + limit + " bytes");
            return length + padding;
        }
        if (!pumping) {
            early.add(data.retain());
            unconsumed += length;
            return padding;
        }
        exchange.data(data.retain(), last);
        exchange.flush();
        if (paused) {
            unconsumed += length;
            return padding;
        }
        return length + padding;
    }

    private boolean isWebSocket() {
        return head.contains(HeadCheck.PROTOCOL);
    }

    boolean isRequestDone() {
        return requestDone;
    }

    /** The client sends nothing more, on any stream. */
    void inputEnded() {
        if (!requestDone) {
            reset(Http2Error.CANCEL);
        }
    }

    /**
     * RFC 9113 5.2: content needs window, and a client that has ended its output gives no more. What there was is used up; the end of the
     * answer needs none, so the server is listened to until it sends either.
     */
    void endIfStuck() {
        Http2Connection connection = server.link().connection();
        Http2RemoteFlowController window = connection.remote().flowController();
        if (window.windowSize(stream) > 0 && window.windowSize(connection.connectionStream()) > 0) {
            return;
        }
        if (!window.hasFlowControlled(stream)) {
            exchange.clientWritable();
        } else if (exchange.isOpen()) {
            exchange.fail(502, "client-window", "the client ended its output and gives no more window");
        } else {
            reset(Http2Error.CANCEL);
        }
    }

    void trailers(Http2Headers trailers, boolean last) {
        requestDone = last;
        if (pumping && exchange.isOpen()) {
            exchange.trailers(trailers);
            exchange.flush();
        } else {
            earlyTrailers = trailers;
        }
    }

    @Override
    public boolean isPlain() {
        return false;
    }

    @Override
    public Version version() {
        return Version.HTTP2;
    }

    @Override
    public boolean isBodyless() {
        return bodyless;
    }

    @Override
    public long received() {
        return bodyBytes;
    }

    @Override
    public Http2Headers model() {
        if (!server.isBelieved()) {
            List<CharSequence> strange = new ArrayList<>(0);
            for (Map.Entry<CharSequence, CharSequence> field : head) {
                AsciiString text = AsciiString.of(field.getKey());
                if (OriginFields.tells(text.array(), text.arrayOffset(), text.arrayOffset() + text.length())) {
                    strange.add(text);
                }
            }
            strange.forEach(head::remove);
        }
        if (head.contains(HeadCheck.PROTOCOL) && !head.contains(KEY)) {
            // RFC 8441 5: over HTTP/2 there is no key, and a server of HTTP/1 wants one.
            head.set(KEY, new AsciiString(WebSocketKey.draw(server.loop().chance())));
        }
        return head;
    }

    @Override
    public void pump() {
        // What comes before a server has agreed to a tunnel would be a request to it (CVE-2025-64763).
        pumping = !isWebSocket() || exchange.isTunnel();
        if (!pumping) {
            exchange.flush();
            return;
        }
        paused = false;
        while (!early.isEmpty() && exchange.isOpen()) {
            ByteBuf data = early.removeFirst();
            exchange.data(data, early.isEmpty() && requestDone && earlyTrailers == null);
        }
        if (early.isEmpty() && earlyTrailers != null && exchange.isOpen()) {
            exchange.trailers(earlyTrailers);
        }
        exchange.flush();
        consume();
    }

    @Override
    public void setReading(boolean on) {
        paused = !on;
        if (on && pumping) {
            consume();
        }
    }

    private void consume() {
        int bytes = unconsumed;
        unconsumed = 0;
        if (stream.state().remoteSideOpen() || bytes > 0) {
            server.link().consumed(stream, bytes);
        }
    }

    void writable() {
        exchange.clientWritable();
    }

    @Override
    public boolean takesWire() {
        return false;
    }

    @Override
    public void head(Http2Headers answer, boolean last) {
        if (exchange.isTunnel()) {
            answer.status(OK);
            answer.remove(ACCEPT);
        } else if (isWebSocket() && answer.status() != null && answer.status().charAt(0) == '2') {
            // Any 2xx would tell the client that it has a WebSocket, which the server did not say.
            answer.status(BAD_GATEWAY);
        }
        ChannelHandlerContext context = server.link().context();
        server.link().encoder().writeHeaders(context, stream.id(), answer, 0, last, context.newPromise());
        endIf(last);
        if (exchange.isTunnel() && !pumping) {
            pump();
        }
    }

    @Override
    public void data(ByteBuf content, boolean last) {
        server.connection().sent(content.readableBytes());
        server.budget().dataSent();
        ChannelHandlerContext context = server.link().context();
        server.link().encoder().writeData(context, stream.id(), content, 0, last, context.newPromise());
        endIf(last);
    }

    @Override
    public void trailers(Http2Headers trailers) {
        head(trailers, true);
    }

    @Override
    public void wire(ByteBuf bytes, boolean last) {
        bytes.release();
        throw new IllegalStateException("bytes of HTTP/1 on a stream of HTTP/2");
    }

    /**
     * RFC 9113 8.1: a client whose request was answered before its end is told not to send the rest. A tunnel is no request: its client
     * is about to end its side as well, and some lose the last bytes if it is ended for them.
     */
    private void endIf(boolean last) {
        if (last) {
            answered = true;
            answeredAt = server.loop().now();
            if (!requestDone && !exchange.isTunnel()) {
                reset(Http2Error.NO_ERROR);
            }
        }
    }

    private void reset(Http2Error error) {
        ChannelHandlerContext context = server.link().context();
        server.link().resetStream(context, stream.id(), error.code(), context.newPromise());
        flush();
    }

    @Override
    public void flush() {
        server.link().flushSoon();
    }

    @Override
    public void abort(String because) {
        reset(Http2Error.INTERNAL_ERROR);
    }

    @Override
    public boolean isWritable() {
        return server.link().connection().remote().flowController().isWritable(stream);
    }

    void sweep(long now) {
        if (answered && !requestDone && now - answeredAt > LINGER_NANOS) {
            reset(Http2Error.NO_ERROR);
            return;
        }
        if (isRequestTooSlow(now)) {
            server.count("request-timeout");
            exchange.fail(408, "request-timeout", "the request was not complete in time");
        } else {
            exchange.sweep(now);
        }
    }

    /** Once the answer has begun, and in calls of gRPC from the beginning, both sides may talk for as long as they like. */
    private boolean isRequestTooSlow(long now) {
        if (requestDone || exchange.mayTakeLong()) {
            return false;
        }
        Duration timeout = server.way().config().timeouts().request();
        return !timeout.isZero() && now - begunAt > timeout.toNanos();
    }

    /** The stream is no more, for whatever reason. */
    void closed() {
        exchange.abandon();
        early.forEach(ByteBuf::release);
        early.clear();
    }
}
