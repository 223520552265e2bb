package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.parley.wire.http.Fields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of HTTP/2, either side. Flushes, and the ends of streams that this side brings about, are put off to the end of the event
 * loop's round: so the answers of many streams leave in one write, and nobody hears of an end while still at work on it.
 */
final class Http2Link extends ChannelInboundHandlerAdapter {
    /** For all streams together (facts: 64 KiB a stream, 1 MiB a connection). */
    static final int CONNECTION_CREDIT = 1 << 20;

    /** For all streams together. As much leaves in one write as fits below the upper mark. */
    private static final WriteBufferWaterMark BUFFER = new WriteBufferWaterMark(64 << 10, 256 << 10);

    /** What a peer that does not read may make this side write (CVE-2019-9512, CVE-2019-9515). */
    private static final int MAX_UNREAD = 1_000;

    /** What the peer sends back; any bytes would do. */
    private static final long PING = 0x7061726c6579L;

    private static final Logger LOG = LoggerFactory.getLogger(Http2Link.class);

    private final LinkOwner owner;
    private final FrameBudget budget;
    private final Streams streams;
    private final Credit credit = new Credit(CONNECTION_CREDIT);
    private final Midway incoming = new Midway();
    private final Runnable flush = this::flushNow;
    private List<Http2Stream> ended = new ArrayList<>();
    private @Nullable ChannelHandlerContext context;
    private @Nullable FrameReader reader;
    private @Nullable FrameWriter writer;
    private @Nullable SendQueues queues;
    private boolean flushing;
    private boolean over;
    private boolean broken;
    private int reads;
    private int named = Integer.MAX_VALUE;

    Http2Link(LinkOwner owner, FrameBudget budget) {
        this.owner = owner;
        this.budget = budget;
        this.streams = new Streams(owner.isServer());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        writer = new FrameWriter(ctx);
        queues = new SendQueues(ctx.channel(), writer, budget, this::sentAll);
        Intake intake = new Intake(this, owner, budget, credit);
        reader = new FrameReader(owner.isServer(), owner.maxHead(), intake, ctx.alloc());
        ctx.channel().config().setWriteBufferWaterMark(BUFFER);
        if (!owner.isServer()) {
            writer.raw(Wire.preface());
        }
        writer.settings(owner.settings());
        writer.windowUpdate(0, CONNECTION_CREDIT - Wire.USUAL_WINDOW);
        writer.flush();
    }

    private static <T> T present(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not in a pipeline yet");
        }
        return part;
    }

    FrameReader reader() {
        return present(reader);
    }

    FrameWriter writer() {
        return present(writer);
    }

    SendQueues queues() {
        return present(queues);
    }

    Streams streams() {
        return streams;
    }

    /** Whether nothing more can be sent. */
    boolean isOver() {
        return over;
    }

    /** Whether it was ended here, for something that the peer did. */
    boolean isBroken() {
        return broken;
    }

    /** How often bytes have come from the peer. */
    int reads() {
        return reads;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            reads++;
            if (!over) {
                reader().read(bytes);
                owner.heard();
            }
        } catch (Http2Fault fault) {
            end(fault);
        } catch (RuntimeException e) {
            LOG.error("a connection of HTTP/2 is ended for a mistake of this program", e);
            end("internal-error", ErrorCode.INTERNAL_ERROR);
        } finally {
            bytes.release();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable() && !over) {
            queues().roomForAll(streams.all());
            flushSoon();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            owner.inputEnded();
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        over = true;
        forEach(this::closeNow);
        tellEnded();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        over = true;
        forEach(this::closeNow);
        tellEnded();
        reader().close();
        writer().close();
    }

    /** A connection that broke is closed; there is nothing to be told to anybody. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.debug("a connection of HTTP/2 broke", cause);
        }
        ctx.close();
    }

    /** Sends what is written before the loop's next round. */
    void flushSoon() {
        if (!flushing) {
            flushing = true;
            present(context).executor().execute(flush);
        }
    }

    private void flushNow() {
        flushing = false;
        tellEnded();
        if (!present(context).isRemoved()) {
            writer().flush();
        }
    }

    private void tellEnded() {
        while (!ended.isEmpty()) {
            List<Http2Stream> these = ended;
            ended = new ArrayList<>(these.size());
            these.forEach(Http2Link::tellEnd);
        }
    }

    /** One that fails at hearing of it must not keep the others from it. */
    private static void tellEnd(Http2Stream stream) {
        try {
            stream.closed();
        } catch (RuntimeException e) {
            LOG.error("the end of a stream of HTTP/2 met a mistake of this program", e);
        }
    }

    /** Ends the connection for something that the peer did. */
    void end(Http2Fault fault) {
        LOG.debug("a connection of HTTP/2 is ended: {}", fault.text());
        end(fault.word(), fault.code());
    }

    private void end(String word, ErrorCode code) {
        if (!over) {
            over = true;
            broken = true;
            reader().stop();
            owner.fatal(word);
            sayGoodbye(streams.last(), code);
            // A connection with TLS may take its time to close, which nobody need wait for.
            forEach(this::endSoon);
            present(context).close();
        }
    }

    /** RFC 9113 6.8: tells the peer which of its streams was the last that was looked at. */
    void goAway(int lastStream) {
        if (!over) {
            sayGoodbye(lastStream, ErrorCode.NO_ERROR);
        }
    }

    /** A later word may not take back what an earlier one has said. A server has no streams that a client could name. */
    private void sayGoodbye(int lastStream, ErrorCode code) {
        named = Math.min(named, owner.isServer() ? lastStream : 0);
        writer().goAway(named, code);
        writer().flush();
    }

    /** The last stream that will be looked at. */
    int named() {
        return named;
    }

    /** How many streams there are, those included whose end has not left yet. */
    int busyStreams() {
        return streams.count() + writer().leaving();
    }

    /**
     * For how long the peer has been at the same frame or head, whether it goes on with it or not, in nanoseconds. Until it ends nothing else can come.
     * Content that takes its time is looked after by its stream; the rest of what was for one that is no more is not.
     */
    long midwayFor(long now) {
        boolean midway = reader().isMidway() && streams.find(reader().contentOf()) == null;
        return incoming.look(now, midway, reader().whole());
    }

    /** Asks the peer whether it is there. */
    void ping() {
        writer().ping(PING);
        flushSoon();
    }

    /** Begins a stream of this side's. */
    void open(Http2Stream stream) {
        budget.streamBegun();
        stream.open(streams.next(), queues().initialWindow());
        streams.add(stream);
    }

    void send(Http2Stream stream, Fields head, boolean last) {
        queues().head(stream, head, last);
    }

    /** Sends content, which is handed over. */
    void send(Http2Stream stream, ByteBuf content, boolean last) {
        queues().data(stream, content, last);
    }

    /** Gives a stream up. */
    void reset(Http2Stream stream, ErrorCode code) {
        if (stream.isOpen()) {
            stream.resetSent();
            writer().reset(stream.id(), code);
            endSoon(stream);
            checkUnread();
        }
    }

    /** Ends the connection of a peer that makes this side answer and does not read the answers, which would fill the memory. */
    void checkUnread() {
        flushSoon();
        if (writer().unread() > MAX_UNREAD) {
            // It may be that nobody has tried yet.
            writer().flush();
            if (writer().unread() > MAX_UNREAD) {
                end(Http2Fault.flood("unread-control-frames"));
            }
        }
    }

    private void sentAll(Http2Stream stream) {
        stream.localEnded();
        stream.allSent();
        if (stream.isRemoteEnded() && stream.isOpen()) {
            endSoon(stream);
        }
    }

    /** The peer has ended its side of a stream, and all of it has been taken. */
    void remoteEnded(Http2Stream stream) {
        if (!stream.isOpen()) {
            return;
        }
        if (stream.isLocalEnded()) {
            endSoon(stream);
        } else {
            stream.allReceived();
        }
    }

    private void endSoon(Http2Stream stream) {
        close(stream);
        ended.add(stream);
        flushSoon();
    }

    /** What it holds will be for nobody, and must not count for the others any more. */
    private void close(Http2Stream stream) {
        streams.remove(stream);
        queues().forget(stream);
        stream.close();
        release(stream.held());
    }

    /** The stream is no more, and whoever it is for hears of it at once. */
    void closeNow(Http2Stream stream) {
        if (stream.isOpen()) {
            close(stream);
            tellEnd(stream);
        }
    }

    /** So much of what came on a stream is passed on: the peer may send as much again. */
    void consumed(Http2Stream stream, int bytes) {
        // While it was told of content it may have asked for all that it holds.
        int held = Math.min(bytes, stream.held());
        if (held == 0 || !stream.isOpen()) {
            return;
        }
        stream.passedOn(held);
        release(held);
        if (!stream.isRemoteEnded() && !over) {
            grant(stream.id(), stream.credit().consumed(held));
        }
    }

    /** So many bytes have come on a stream. On a shared connection others may send as much: each is held up by its own window. */
    void arrived(Http2Stream stream, int bytes) {
        stream.holds(bytes);
        if (owner.isShared()) {
            passedOver(bytes);
        }
    }

    private void release(int bytes) {
        if (!owner.isShared()) {
            passedOver(bytes);
        }
    }

    /** So much of what came is for nobody. */
    void passedOver(int bytes) {
        if (!over) {
            grant(0, credit.consumed(bytes));
        }
    }

    private void grant(int stream, int bytes) {
        if (bytes > 0) {
            writer().windowUpdate(stream, bytes);
            checkUnread();
        }
    }

    /** Does something with every open stream; it may end them. */
    void forEach(Consumer<Http2Stream> task) {
        Collection<Http2Stream> all = streams.all();
        if (!all.isEmpty()) {
            List.copyOf(all).forEach(task);
        }
    }
}
