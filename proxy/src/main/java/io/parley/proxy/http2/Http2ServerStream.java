package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.exchange.AnswerSink;
import io.parley.proxy.exchange.Exchange;
import io.parley.proxy.exchange.Hindrance;
import io.parley.proxy.exchange.LocalAnswer;
import io.parley.proxy.exchange.RequestSource;
import io.parley.proxy.exchange.Way;
import io.parley.proxy.http1.Flaw;
import io.parley.proxy.http1.OriginFields;
import io.parley.proxy.http1.WebSocketKey;
import io.parley.wire.http.Field;
import io.parley.wire.http.Fields;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One request over HTTP/2. */
final class Http2ServerStream extends Http2Stream implements RequestSource, AnswerSink {
    private static final AsciiString ACCEPT = AsciiString.cached("sec-websocket-accept");
    private static final AsciiString KEY = AsciiString.cached("sec-websocket-key");
    private static final AsciiString WEBSOCKET = AsciiString.cached("websocket");
    private static final AsciiString OK = AsciiString.cached("200");
    private static final AsciiString BAD_GATEWAY = AsciiString.cached("502");

    /** How long a client may take to end its side of a tunnel whose other side has ended. */
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Http2Server server;
    private final Exchange exchange;
    private @Nullable ContentQueue early;
    private final Fields head;
    private @Nullable Fields earlyTrailers;
    private boolean bodyless;
    private boolean requestDone;
    private boolean pumping;
    private boolean paused;
    private boolean answered;
    private long begunAt;
    private long answeredAt;
    private long bodyBytes;

    Http2ServerStream(Http2Server server, Fields head) {
        this.server = server;
        this.head = head;
        this.exchange = new Exchange(server.loop(), server.connection(), server.way(), this, this);
    }

    void begin(boolean last) {
        bodyless = last;
        requestDone = last;
        begunAt = server.loop().now();
        // What the path is made into is what these routes look at: a change may come between two looks.
        Way.Table table = server.way().table();
        Http2View view = Http2View.of(
                head, server.connection().provenance(), table.config().trustedHops());
        Preparation.clean(head, server.isBelieved(), view.provenance().scheme());
        if (isWebSocket() && !WEBSOCKET.contentEqualsIgnoreCase(head.value(Fields.PROTOCOL))) {
            exchange.refuse(view, table, 501, Hindrance.UPGRADE);
            return;
        }
        Flaw flaw = Preparation.normalise(head, table.config());
        if (flaw == null) {
            exchange.begin(view, table);
        } else {
            exchange.refuse(view, table, flaw.status(), flaw);
        }
    }

    /** It never begins, and all that becomes of it is a line in the log, of which the unsound parts of its head are kept out. */
    void drop(String flaw) {
        Fields sound = new Fields();
        for (Field field : head) {
            if (field.fault() == null) {
                sound.add(field);
            }
        }
        exchange.drop(
                new Http2View(sound, server.connection().provenance()),
                server.way().table(),
                flaw);
    }

    @Override
    int received(ByteBuf data, boolean last) {
        int length = data.readableBytes();
        server.connection().received(length);
        requestDone |= last;
        if (answered || !exchange.isOpen()) {
            data.release();
            return length;
        }
        bodyBytes += length;
        long limit = server.way().config().limits().body();
        if (limit > 0 && bodyBytes > limit && !exchange.isTunnel()) {
            data.release();
            exchange.fail(Flaw.BODY_TOO_LARGE.status(), Flaw.BODY_TOO_LARGE);
            return length;
        }
        if (!pumping) {
            if (early == null) {
                early = new ContentQueue();
            }
            early.add(data);
            return 0;
        }
        exchange.data(data, last);
        exchange.flush();
        return paused ? 0 : length;
    }

    private boolean isWebSocket() {
        return head.contains(Fields.PROTOCOL);
    }

    /** The client sends nothing more, on any stream. */
    void inputEnded() {
        if (!requestDone) {
            reset(ErrorCode.CANCEL);
        }
    }

    /**
     * RFC 9113 5.2: content needs window, and a client that has ended its output gives no more. What there was is used up; the end of the
     * answer needs none, so the server is listened to until it sends either.
     */
    void endIfStuck() {
        if (!server.link().queues().isOutOfWindow(this)) {
            return;
        }
        if (!hasQueue()) {
            exchange.clientWritable();
        } else if (exchange.isOpen()) {
            exchange.fail(502, Hindrance.CLIENT_WINDOW);
        } else {
            reset(ErrorCode.CANCEL);
        }
    }

    /** Trailers: nothing else comes after a request's head and content, and after a tunnel's not even these (RFC 9113 8.5). */
    @Override
    void head(Fields trailers, @Nullable String flaw, boolean last) throws Http2Fault {
        int maxFields = server.way().config().limits().fields();
        server.refuseIf(flaw == null ? HeadCheck.trailers(trailers, maxFields) : flaw, id());
        server.refuseIf(last && !isWebSocket() ? null : "trailer", id());
        requestDone = true;
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
    public Fields model() {
        if (!server.isBelieved()) {
            head.removeIf(OriginFields::tells);
        }
        if (head.contains(Fields.PROTOCOL) && !head.contains(KEY)) {
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
        while (early != null && exchange.isOpen()) {
            ByteBuf data = early.remove();
            early = early.isEmpty() ? null : early;
            exchange.data(data, early == null && requestDone && earlyTrailers == null);
        }
        if (earlyTrailers != null && exchange.isOpen()) {
            exchange.trailers(earlyTrailers);
        }
        exchange.flush();
        if (!paused) {
            consume();
        }
    }

    @Override
    public void setReading(boolean on) {
        paused = !on;
        if (on && pumping) {
            consume();
        }
    }

    private void consume() {
        server.link().consumed(this, held());
    }

    @Override
    void writable() {
        exchange.clientWritable();
    }

    @Override
    public boolean takesWire() {
        return false;
    }

    @Override
    public void head(Fields answer, boolean last) {
        if (exchange.isTunnel()) {
            answer.set(Fields.STATUS, OK);
            answer.remove(ACCEPT);
        } else if (isWebSocket() && isSuccess(answer.status())) {
            // Any 2xx would tell the client that it has a WebSocket, which the server did not say.
            answer.set(Fields.STATUS, BAD_GATEWAY);
        }
        noteIf(last);
        server.link().send(this, answer, last);
        if (exchange.isTunnel() && !pumping) {
            pump();
        }
    }

    @Override
    public void data(ByteBuf content, boolean last) {
        server.connection().sent(content.readableBytes());
        noteIf(last);
        server.link().send(this, content, last);
    }

    @Override
    public void trailers(Fields trailers) {
        noteIf(true);
        server.link().send(this, trailers, true);
    }

    @Override
    public void wire(ByteBuf bytes, boolean last) {
        bytes.release();
        throw new IllegalStateException("bytes of HTTP/1 on a stream of HTTP/2");
    }

    private static boolean isSuccess(@Nullable AsciiString status) {
        return status != null && status.byteAt(0) == '2';
    }

    private void noteIf(boolean last) {
        if (last) {
            answered = true;
            answeredAt = server.loop().now();
        }
    }

    /**
     * RFC 9113 8.1: a client whose request was answered before its end is told not to send the rest. A tunnel is no request: its client
     * is about to end its side as well, and some lose the last bytes if it is ended for them.
     */
    @Override
    void allSent() {
        if (!requestDone && !exchange.isTunnel()) {
            reset(ErrorCode.NO_ERROR);
        }
    }

    private void reset(ErrorCode code) {
        server.link().reset(this, code);
    }

    @Override
    public void flush() {
        server.link().flushSoon();
    }

    @Override
    public void abort(String because) {
        reset(ErrorCode.INTERNAL_ERROR);
    }

    /** gRPC over HTTP/2: its clients make these statuses of these codes, and INTERNAL of all others that fit here. */
    @Override
    public void abort(String because, int grpcStatus) {
        reset(
                switch (grpcStatus) {
                    case LocalAnswer.CANCELLED -> ErrorCode.CANCEL;
                    case LocalAnswer.RESOURCE_EXHAUSTED -> ErrorCode.ENHANCE_YOUR_CALM;
                    default -> ErrorCode.INTERNAL_ERROR;
                });
    }

    @Override
    public boolean isWritable() {
        return server.link().queues().isWritable(this);
    }

    void sweep(long now) {
        if (answered) {
            sweepAnswered(now);
        } else if (isRequestTooSlow(now)) {
            if (exchange.isClientAwaited()) {
                server.count(Flaw.REQUEST_TIMEOUT.word());
                exchange.fail(Flaw.REQUEST_TIMEOUT.status(), Flaw.REQUEST_TIMEOUT);
            } else {
                exchange.late(Hindrance.TIMEOUT, "the server did not take the request in time");
            }
        } else {
            exchange.sweep(now);
        }
    }

    /** Nobody but the client is waited for: to end its side, or to take what is left of the answer, which is kept for it. */
    private void sweepAnswered(long now) {
        if (isLocalEnded()) {
            if (!requestDone && now - answeredAt > LINGER_NANOS) {
                reset(ErrorCode.NO_ERROR);
            }
        } else if (hasProgressed()) {
            answeredAt = now;
        } else if (server.isUnreadTooLong(now - answeredAt)) {
            server.count("answer-timeout");
            reset(ErrorCode.CANCEL);
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

    /** Whatever the reason, the end follows. */
    @Override
    void gaveUp(long code, @Nullable Http2Fault fault) {}

    @Override
    void closed() {
        exchange.abandon();
        if (early != null) {
            early.release();
            early = null;
        }
        server.streamClosed();
    }
}
