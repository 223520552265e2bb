package io.parley.proxy.http1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.exchange.Connection;
import io.parley.proxy.exchange.Departure;
import io.parley.proxy.exchange.Exchange;
import io.parley.proxy.exchange.HttpLoop;
import io.parley.proxy.exchange.LocalAnswer;
import io.parley.proxy.exchange.RequestSource;
import io.parley.proxy.exchange.Way;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpTimeouts;
import io.parley.wire.http.Fields;
import java.time.Duration;

/**
 * A client's connection of HTTP/1, one request after the other: what a client sends ahead waits until its turn comes. What is not
 * beyond doubt ends the connection, so that nothing after it can be taken for a request.
 */
public final class Http1Server extends ChannelInboundHandlerAdapter implements RequestSource, HttpLoop.Swept {
    private enum State {
        /** Between requests. */
        IDLE,

        /** A head has begun. */
        HEAD,

        /** The head is complete, and where it goes is not there yet. */
        WAITING,
        BODY,

        /** The request is complete. */
        ANSWER,
        TUNNEL,

        /** Nothing more is read. */
        ENDING
    }

    private static final long LINGER_NANOS = Duration.ofSeconds(2).toNanos();

    private final HttpLoop loop;
    private final Connection connection;
    private final Way way;
    private final RequestHead head;
    private final Exchange exchange;
    private final Channel channel;
    private final Http1Answers answers;
    private final Incoming held = new Incoming();
    private final RequestBody body;
    private final Departure departure;
    private State state = State.IDLE;
    private boolean processing;
    private boolean plain;
    private boolean keptAlive = true;
    private boolean inputEnded;
    private int headLength;
    private int seen;
    private long since;

    public Http1Server(HttpLoop loop, Connection connection, Way way, Http1Scratch scratch) {
        this.loop = loop;
        this.connection = connection;
        this.way = way;
        this.head = scratch.request();
        this.channel = connection.channel();
        this.answers = new Http1Answers(this, connection);
        this.exchange = new Exchange(loop, connection, way, this, answers);
        this.body = new RequestBody(held, exchange);
        this.departure = new Departure(way);
        this.since = loop.now();
    }

    /** Takes over the connection. */
    public void start() {
        loop.add(this);
        channel.closeFuture().addListener(_ -> loop.remove(this));
        connection.handTo(this);
        if (channel.isActive() && state != State.ENDING && state != State.WAITING) {
            channel.config().setAutoRead(true);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        connection.received(in.readableBytes());
        if (state == State.ENDING) {
            in.release();
            return;
        }
        held.add(ctx.alloc(), in);
        process();
    }

    /** Goes on as far as it can; what this leads to may come back here, and then only marks that there is more to do. */
    private void process() {
        if (processing) {
            return;
        }
        processing = true;
        boolean more = true;
        while (more && !held.isEmpty()) {
            more = switch (state) {
                case IDLE, HEAD -> readHead();
                case BODY -> passBody();
                case TUNNEL -> passTunnel();
                case WAITING, ANSWER -> false;
                case ENDING -> {
                    held.clear();
                    yield false;
                }
            };
        }
        processing = false;
        if (held.isEmpty()) {
            held.clear();
        } else if (state == State.WAITING || state == State.ANSWER) {
            setReading(false);
        }
        if (inputEnded && state == State.IDLE && held.isEmpty()) {
            channel.close();
        }
    }

    private boolean readHead() {
        if (state == State.IDLE) {
            held.skipEmptyLine();
        }
        int length = head.scan(held.bytes(), seen);
        if (length == 0) {
            since = state == State.IDLE ? loop.now() : since;
            state = State.HEAD;
            seen = held.size();
            return false;
        }
        seen = 0;
        if (length < 0) {
            refuse(head.flaw());
            return false;
        }
        begin(length);
        return true;
    }

    private void begin(int length) {
        HttpConfig config = way.config();
        head.scheme(connection.scheme());
        body.frame(head);
        long limit = config.limits().body();
        if (limit > 0 && head.contentLength() > limit) {
            refuse(Flaw.BODY_TOO_LARGE);
        } else if (!head.normalise(config.paths())) {
            refuse(head.flaw());
        } else if (head.isWebSocket() && !head.isWebSocketValid()) {
            refuse(Flaw.UPGRADE);
        } else {
            headLength = length;
            keptAlive = head.isKeptAlive();
            plain = head.isPlain(connection.isBelieved(config.forwarding()));
            state = State.WAITING;
            since = loop.now();
            answers.begin(head);
            exchange.begin(head);
        }
    }

    private void refuse(Flaw flaw) {
        refuse(flaw.status(), flaw.word(), "the request was refused: " + flaw.word());
    }

    /** Answers, if an answer is still possible, and ends the connection. */
    private void refuse(int status, String cause, String text) {
        loop.telemetry().abuse(connection.direction(), connection.target(), cause, connection.client(), loop.now());
        keptAlive = false;
        connection.ends("http-" + cause, text);
        if (exchange.isOpen()) {
            state = State.ENDING;
            exchange.fail(status, cause, text);
        } else if (!answers.hasBegun()) {
            state = State.ENDING;
            answers.begin();
            LocalAnswer.fail(answers, LocalAnswer.Form.TEXT, status, cause, text);
            answers.flush();
        } else {
            end();
        }
    }

    @Override
    public boolean isPlain() {
        return plain;
    }

    @Override
    public Version version() {
        return Version.HTTP1;
    }

    @Override
    public boolean isBodyless() {
        return body.isNone();
    }

    @Override
    public long received() {
        return body.received();
    }

    @Override
    public Fields model() {
        return head.model(connection.isBelieved(way.config().forwarding()), exchange.passesFraming());
    }

    @Override
    public void pump() {
        if (state != State.WAITING) {
            return;
        }
        state = State.BODY;
        Flaw flaw = body.passFirst(headLength);
        if (flaw != null) {
            refuse(flaw);
            return;
        }
        if (body.isComplete() && state == State.BODY) {
            state = State.ANSWER;
        }
        exchange.flush();
        if (state == State.BODY) {
            setReading(true);
        }
    }

    /** Whether the connection goes on after the answer that is about to begin; once no, always no. */
    boolean isKept() {
        keptAlive &= !departure.isWanted() && (state == State.ANSWER || state == State.WAITING);
        return keptAlive;
    }

    /** Whether a request has said, or a drain wants, that the connection ends. */
    boolean mayBeKept() {
        return keptAlive && !departure.isWanted();
    }

    /** The answer is that both sides speak something else from now on. */
    void switched() {
        state = State.TUNNEL;
        process();
        setReading(true);
    }

    boolean isTunnel() {
        return exchange.isTunnel();
    }

    private boolean passBody() {
        Flaw flaw = body.pass(way.config().limits().body());
        if (flaw != null) {
            refuse(flaw);
            return false;
        }
        if (body.isComplete() && state == State.BODY) {
            state = State.ANSWER;
            return true;
        }
        return false;
    }

    private boolean passTunnel() {
        exchange.data(held.takeAll(), false);
        return false;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (exchange.isOpen()) {
            exchange.flush();
        }
    }

    /** The answer is complete. If the request is not, what else comes of it would have to be read for nothing: the connection ends. */
    void answered() {
        boolean requestRead = state == State.ANSWER || (state == State.WAITING && isBodyless());
        if (!keptAlive || !requestRead || answers.isUntilClose() || state == State.TUNNEL) {
            end();
            return;
        }
        if (state == State.WAITING) {
            held.skip(headLength);
        }
        state = State.IDLE;
        since = loop.now();
        process();
        if (state == State.IDLE || state == State.HEAD) {
            setReading(true);
        }
    }

    private void end() {
        boolean unread = state != State.ANSWER && state != State.TUNNEL && !inputEnded;
        state = State.ENDING;
        since = loop.now();
        if (unread) {
            setReading(true);
            answers.closeGently();
        } else {
            answers.close();
        }
    }

    @Override
    public void setReading(boolean on) {
        if (channel.config().isAutoRead() != on && !(on && inputEnded)) {
            channel.config().setAutoRead(on);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (channel.isWritable()) {
            exchange.clientWritable();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            inputEnded = true;
            // A client that has sent its request and ended its output still wants the answer.
            if (state == State.ANSWER || (state == State.WAITING && isBodyless())) {
                keptAlive = false;
            } else {
                channel.close();
            }
        } else if (!(event instanceof SslHandshakeCompletionEvent)) {
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        state = State.ENDING;
        exchange.abandon();
        held.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        connection.ends("reset", String.valueOf(cause.getMessage()));
        channel.close();
    }

    @Override
    public void sweep(long now) {
        HttpTimeouts timeouts = way.config().timeouts();
        departure.beginsByItself(now);
        switch (state) {
            case IDLE -> {
                if (isPast(now, timeouts.idle()) || departure.isDue(now)) {
                    connection.ends("idle", "");
                    channel.close();
                }
            }
            case HEAD -> {
                if (isPast(now, timeouts.head())) {
                    refuse(408, "head-timeout", "the head of the request was not complete in time");
                }
            }
            case BODY -> {
                if (!exchange.mayTakeLong() && isPast(now, timeouts.request())) {
                    refuse(408, "request-timeout", "the request was not complete in time");
                }
            }
            case ENDING -> {
                if (now - since > LINGER_NANOS) {
                    channel.close();
                }
            }
            case WAITING, ANSWER, TUNNEL -> {}
        }
        exchange.sweep(now);
    }

    private boolean isPast(long now, Duration time) {
        return !time.isZero() && now - since > time.toNanos();
    }

    @Override
    public void drain() {
        departure.begin(loop.now());
    }
}
