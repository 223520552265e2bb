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
import io.parley.proxy.exchange.Hindrance;
import io.parley.proxy.exchange.HttpLoop;
import io.parley.proxy.exchange.RequestSource;
import io.parley.proxy.exchange.Unsent;
import io.parley.proxy.exchange.Way;
import io.parley.wire.http.Fields;

/**
 * A client's connection of HTTP/1, one request after the other: what a client sends ahead waits until its turn comes. What is not
 * beyond doubt ends the connection, so that nothing after it can be taken for a request.
 */
public final class Http1Server extends ChannelInboundHandlerAdapter implements RequestSource, HttpLoop.Swept {
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
    private final Ending ending;
    private final Patience patience;
    private ServerState state = ServerState.IDLE;
    private boolean processing;
    private boolean plain;
    private boolean keptAlive = true;
    private boolean inputEnded;
    private int headLength;
    private int seen;

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
        this.ending = new Ending(loop, channel);
        this.patience = new Patience(channel, way, departure, ending);
        patience.begin(loop.now());
    }

    /** Takes over the connection. */
    public void start() {
        loop.add(this);
        channel.closeFuture().addListener(_ -> loop.remove(this));
        connection.handTo(this);
        if (channel.isActive() && state != ServerState.ENDING && state != ServerState.WAITING) {
            channel.config().setAutoRead(true);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        connection.received(in.readableBytes());
        if (state == ServerState.ENDING) {
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
                // Who does not read answers has no more made: they would pile up here.
                case IDLE -> !isHeldUp() && held.skipEmptyLine() && readHead();
                case HEAD -> readHead();
                case BODY -> passBody();
                case TUNNEL -> {
                    exchange.data(held.takeAll(), false);
                    yield false;
                }
                case WAITING, ANSWER, ENDING -> false;
            };
        }
        processing = false;
        if (held.isEmpty() || state == ServerState.ENDING) {
            held.clear();
        } else if (state == ServerState.WAITING || state == ServerState.ANSWER || isHeldUp()) {
            setReading(false);
        }
        if (inputEnded && (state == ServerState.HEAD || (state == ServerState.IDLE && !isHeldUp()))) {
            end();
        }
    }

    private boolean readHead() {
        Way.Table table = prepareHead();
        int length = head.scan(held.bytes(), seen);
        if (length == 0) {
            if (state == ServerState.IDLE) {
                patience.begin(loop.now());
            }
            state = ServerState.HEAD;
            seen = held.size();
            return false;
        }
        seen = 0;
        if (length < 0) {
            refuse(head.flaw());
            return false;
        }
        begin(length, table);
        return true;
    }

    /** The head is one for all connections of the loop. Who reads it does so by one and the same configuration, which may change at any time. */
    private Way.Table prepareHead() {
        Way.Table table = way.table();
        head.comesBy(connection, table.config());
        return table;
    }

    private void begin(int length, Way.Table table) {
        head.comesFrom(connection.provenance().behind(table.config().trustedHops(), head));
        body.frame(head);
        if (!head.fits(table.config())) {
            refuse(head.flaw());
        } else {
            headLength = length;
            keptAlive = head.isKeptAlive();
            plain = head.isPlain(head.isBelieved());
            state = ServerState.WAITING;
            patience.begin(loop.now());
            answers.begin(head);
            exchange.begin(head, table);
        }
    }

    /** Answers, if an answer is still possible, and ends the connection. */
    private void refuse(Flaw flaw) {
        if (state == ServerState.ENDING) {
            return;
        }
        loop.abuse(connection, flaw.word());
        keptAlive = false;
        connection.ends("http-" + flaw.word(), flaw.told());
        if (exchange.isOpen()) {
            state = ServerState.ENDING;
            exchange.fail(flaw.status(), flaw);
        } else if (!answers.hasBegun()) {
            state = ServerState.ENDING;
            answers.begin();
            body.none();
            exchange.refuse(head, way.table(), flaw.status(), flaw);
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
        return head.model(head.isBelieved(), exchange.passesFraming());
    }

    @Override
    public void pump() {
        if (state != ServerState.WAITING) {
            return;
        }
        state = ServerState.BODY;
        Flaw flaw = body.passFirst(headLength, way.config().limits().body());
        if (flaw != null) {
            refuse(flaw);
            return;
        }
        if (body.isComplete() && state == ServerState.BODY) {
            state = ServerState.ANSWER;
        }
        exchange.flush();
        if (state == ServerState.BODY && inputEnded) {
            channel.close();
        } else if (state == ServerState.BODY) {
            setReading(true);
        }
    }

    /**
     * Whether the connection goes on after the answer that is about to begin; once no, always no. One that comes before the end of its
     * request says no: what else there will be of that cannot be told (RFC 9112 9.6).
     */
    boolean isKept() {
        keptAlive &= !departure.isWanted() && isRequestRead();
        return keptAlive;
    }

    /** The answer is that both sides speak something else from now on. */
    void switched() {
        state = ServerState.TUNNEL;
        process();
        setReading(true);
        if (inputEnded) {
            body.passEnd();
        }
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
        if (body.isComplete() && state == ServerState.BODY) {
            state = ServerState.ANSWER;
            return true;
        }
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
        if (!keptAlive || !isRequestRead() || answers.isUntilClose() || state == ServerState.TUNNEL) {
            end();
            return;
        }
        if (state == ServerState.WAITING) {
            held.skip(headLength);
        }
        state = ServerState.IDLE;
        patience.begin(loop.now());
        goOnIfIdle();
    }

    private void goOnIfIdle() {
        if (state == ServerState.IDLE) {
            process();
        }
        if (state == ServerState.HEAD || (state == ServerState.IDLE && !isHeldUp())) {
            setReading(true);
        }
    }

    /** Whether the next request waits until the client has read more of the answers before. */
    private boolean isHeldUp() {
        return state == ServerState.IDLE && !held.isEmpty() && !channel.isWritable();
    }

    private boolean isRequestRead() {
        return state == ServerState.ANSWER || (state == ServerState.WAITING && isBodyless());
    }

    private void end() {
        // Who has sent something ahead was not listened to any more.
        boolean isAhead = state == ServerState.ANSWER && !held.isEmpty();
        boolean unread = !inputEnded && (isAhead || !(state == ServerState.ANSWER || state == ServerState.TUNNEL));
        state = ServerState.ENDING;
        if (unread) {
            setReading(true);
        }
        ending.begin(unread);
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
            goOnIfIdle();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            inputEnded = true;
            switch (state) {
                case IDLE, HEAD -> process();
                // A client that has sent its request and ended its output still wants the answer.
                case WAITING, ANSWER -> {}
                case BODY -> channel.close();
                case TUNNEL -> body.passEnd();
                case ENDING -> ending.inputEnded();
            }
        } else if (!(event instanceof SslHandshakeCompletionEvent)) {
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        state = ServerState.ENDING;
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
        departure.beginsByItself(now);
        switch (patience.look(state, now)) {
            case NOTHING -> {}
            case IDLE -> {
                connection.ends("idle", "");
                channel.close();
            }
            case HEAD -> {
                var _ = prepareHead();
                head.glance(held.bytes());
                refuse(Flaw.HEAD_TIMEOUT);
            }
            case REQUEST -> endRequest();
            case UNTAKEN -> {
                loop.abuse(connection, "answer-timeout");
                connection.ends("http-answer-timeout", "");
                Unsent.cutOff(channel);
            }
            case END -> channel.close();
        }
        exchange.sweep(now);
    }

    /** Its time is over, unless the answer has begun or it is a conversation. */
    private void endRequest() {
        if (exchange.isClientAwaited() && !exchange.mayTakeLong()) {
            refuse(Flaw.REQUEST_TIMEOUT);
        } else if (!exchange.mayTakeLong()) {
            exchange.late(Hindrance.TIMEOUT, "the server did not take the request in time");
        }
    }

    @Override
    public void drain() {
        departure.begin(loop.now());
    }

    @Override
    public void broke() {
        channel.close();
    }
}
