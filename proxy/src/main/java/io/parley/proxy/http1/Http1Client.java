package io.parley.proxy.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.exchange.Unsent;
import io.parley.proxy.pool.Answers;
import io.parley.proxy.pool.Answers.Failure;
import io.parley.proxy.pool.Answers.Form;
import io.parley.proxy.pool.ClientStream;
import io.parley.proxy.pool.FirstWords;
import io.parley.proxy.pool.Pool;
import io.parley.proxy.pool.Upstream;
import io.parley.wire.http.Fields;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a server of HTTP/1, one request after the other. It goes back to its pool when request and answer are both
 * complete and nothing is left over; in any doubt it is closed.
 */
public final class Http1Client extends ChannelInboundHandlerAdapter implements Upstream {
    private enum State {
        IDLE,
        HEAD,
        BODY,
        TUNNEL
    }

    private static final int MAX_INTERIM = 32;

    private final Pool pool;
    private final Channel channel;
    private final ResponseHead head;
    private final LongSupplier ticker;
    private final Body body = new Body(TrailerFields.OF_ANSWERS);
    private final FirstWords words = new FirstWords(Version.HTTP1);
    private final Goodbye goodbye = new Goodbye();
    private final Http1Requests requests;
    private final Http1Answer reply;
    private final Incoming held = new Incoming();
    private @Nullable Answers answers;
    private State state = State.IDLE;
    private Form form = Form.WIRE;
    private boolean keptAlive;
    private boolean reset;
    private int seen;
    private int served;
    private int interim;
    private long idleSince;

    public Http1Client(Pool pool, Channel channel, Http1Scratch scratch, LongSupplier ticker) {
        this.pool = pool;
        this.channel = channel;
        this.head = scratch.response();
        this.reply = new Http1Answer(head, body);
        this.requests = new Http1Requests(this, channel);
        this.ticker = ticker;
        this.idleSince = ticker.getAsLong();
    }

    /** Takes over the channel. */
    public void start() {
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, false);
        channel.pipeline().addLast(words, goodbye, this);
        channel.config().setAutoRead(true);
    }

    @Override
    public ClientStream begin(Answers to) {
        if (state != State.IDLE) {
            throw new IllegalStateException("a request is under way");
        }
        answers = to;
        state = State.HEAD;
        seen = 0;
        interim = 0;
        idleSince = Long.MIN_VALUE;
        requests.begin();
        return requests;
    }

    @Override
    public boolean hasRoom() {
        return state == State.IDLE;
    }

    @Override
    public boolean isOpen() {
        return channel.isActive();
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public @Nullable String surprise() {
        return words.surprise();
    }

    @Override
    public long idleSince() {
        return idleSince;
    }

    @Override
    public void close() {
        channel.close();
    }

    /** Nobody waits for the answer any more: the connection cannot be used for another. A tunnel that is given up must not look finished. */
    void abandon() {
        answers = null;
        if (state == State.TUNNEL) {
            Unsent.cutOff(channel);
        }
        channel.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (answers == null) {
            // Nobody asked: whatever this is, it must not become the answer to the next request.
            in.release();
            channel.close();
            return;
        }
        held.add(ctx.alloc(), in);
        read();
    }

    private void read() {
        boolean more = true;
        while (more && !held.isEmpty()) {
            more = switch (state) {
                case HEAD -> readHead();
                case BODY -> readBody(0);
                case TUNNEL -> readTunnel();
                case IDLE -> leftOver();
            };
        }
        if (held.isEmpty()) {
            held.clear();
        }
    }

    private boolean leftOver() {
        drop();
        return false;
    }

    private boolean readTunnel() {
        pass(held.takeAll());
        return false;
    }

    private boolean readHead() {
        int length = head.scan(held.bytes(), seen);
        if (length == 0) {
            seen = held.size();
            return false;
        }
        seen = 0;
        if (length < 0) {
            return broken("the server's answer: " + head.flaw().word());
        }
        int status = head.status();
        if (status == 101) {
            return upgraded(length);
        }
        return status < 200 ? informed(length) : answered(length);
    }

    private boolean informed(int length) {
        Answers to = answers;
        if (++interim > MAX_INTERIM || to == null) {
            return broken("more than " + MAX_INTERIM + " interim answers");
        }
        to.informed(reply);
        held.skip(length);
        return true;
    }

    private boolean upgraded(int length) {
        Answers to = answers;
        RequestWriter asked = requests.writer();
        if (to == null || !asked.isUpgrade() || !head.isWebSocket(asked.key())) {
            return broken("the server switched protocols, and nobody asked for that");
        }
        state = State.TUNNEL;
        form = Form.CONTENT;
        asked.tunnel();
        to.answered(reply, false);
        to.flush();
        held.skip(length);
        return true;
    }

    private boolean answered(int length) {
        Answers to = answers;
        if (to == null) {
            return leftOver();
        }
        body.frame(head, to.isHeadRequest());
        keptAlive = head.isKeptAlive();
        state = State.BODY;
        if (body.isComplete()) {
            return answeredWithoutBody(to, length);
        }
        form = to.answered(reply, false);
        if (form == Form.NOTHING) {
            return leftOver();
        }
        if (form == Form.CONTENT) {
            held.skip(length);
            return readBody(0);
        }
        return readBody(length);
    }

    /** The connection is free before the client hears of it, so that its next request can have it. */
    private boolean answeredWithoutBody(Answers to, int length) {
        boolean reusable = requests.isDone() && keptAlive;
        ByteBuf bytes = held.take(length);
        Form wanted = to.answered(reply, true);
        finish(reusable);
        if (wanted == Form.WIRE) {
            to.wire(bytes, true);
        } else {
            bytes.release();
        }
        to.flush();
        return true;
    }

    private boolean readBody(int headLength) {
        if (form == Form.CONTENT && body.framing() != Body.Framing.CHUNKED) {
            return readContent();
        }
        ByteBuf in = held.bytes();
        int from = in.readerIndex() + headLength;
        int taken = form == Form.WIRE
                ? body.take(in, from, in.writerIndex())
                : body.take(in, from, in.writerIndex(), (_, at, length) -> pass(in.retainedSlice(at, length)));
        if (taken < 0) {
            return broken("the server's answer: " + body.flaw().word());
        }
        boolean last = body.isComplete();
        if (form == Form.WIRE) {
            passWire(headLength + taken, last);
        } else {
            held.skip(taken);
            if (last) {
                endContent(Unpooled.EMPTY_BUFFER, body.trailers());
            }
        }
        return last;
    }

    /** Content without framing: the last of it is known to be the last, which spares a client of HTTP/2 an empty frame. */
    private boolean readContent() {
        ByteBuf in = held.bytes();
        int taken = body.take(in, in.readerIndex(), in.writerIndex());
        if (taken == 0) {
            return false;
        }
        ByteBuf content = held.take(taken);
        boolean last = body.isComplete();
        if (last) {
            endContent(content, null);
        } else {
            pass(content);
        }
        return last;
    }

    private void pass(ByteBuf content) {
        Answers to = answers;
        if (to == null) {
            content.release();
        } else {
            to.data(content, false);
        }
    }

    private void endContent(ByteBuf content, @Nullable Fields trailers) {
        Answers to = answers;
        finish(requests.isDone() && keptAlive);
        if (to == null) {
            content.release();
            return;
        }
        if (trailers == null) {
            to.data(content, true);
        } else {
            to.trailers(trailers);
        }
        to.flush();
    }

    private void passWire(int total, boolean last) {
        Answers to = answers;
        if (to == null) {
            held.skip(total);
            return;
        }
        ByteBuf bytes = held.take(total);
        if (last) {
            finish(requests.isDone() && keptAlive);
            to.wire(bytes, true);
            to.flush();
        } else {
            to.wire(bytes, false);
        }
    }

    private void finish(boolean reusable) {
        answers = null;
        state = State.IDLE;
        served++;
        idleSince = ticker.getAsLong();
        channel.config().setAutoRead(true);
        // One that cannot be written to any more may have answered all the same.
        if (reusable && held.isEmpty() && Unsent.of(channel) == 0) {
            pool.offer(this);
        } else {
            channel.close();
        }
    }

    private void drop() {
        answers = null;
        state = State.IDLE;
        held.clear();
        channel.close();
    }

    /** Nothing more is read. */
    private boolean broken(String detail) {
        Answers to = answers;
        drop();
        if (to != null) {
            to.failed(Failure.BAD_ANSWER, detail);
        }
        return false;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (answers != null) {
            answers.flush();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (answers != null && channel.isWritable()) {
            answers.writable();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        pool.gone(this);
        Answers to = answers;
        // RFC 9112 9.8; what comes through a tunnel says by itself where it ends.
        boolean ended = body.framing() == Body.Framing.UNTIL_CLOSE && state == State.BODY && !goodbye.isMissing();
        boolean complete = (state == State.TUNNEL || ended) && !reset;
        boolean nothingCame = state == State.HEAD && held.isEmpty() && interim == 0;
        answers = null;
        state = State.IDLE;
        held.clear();
        if (to == null) {
            return;
        }
        if (complete) {
            to.data(Unpooled.EMPTY_BUFFER, true);
            to.flush();
        } else {
            boolean stale = nothingCame && served > 0;
            to.failed(
                    stale ? Failure.STALE : Failure.RESET, "the server closed the connection before the answer's end");
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // What it means is decided when the channel has closed; writes that fail because it has are no news.
        reset |= channel.isOpen();
        channel.close();
    }
}
