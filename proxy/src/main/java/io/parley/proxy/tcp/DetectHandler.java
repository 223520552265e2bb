package io.parley.proxy.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.ScheduledFuture;
import io.parley.wire.detect.Detection;
import io.parley.wire.detect.ProtocolDetector;
import io.parley.wire.detect.ProtocolDetector.Layer;
import io.parley.wire.tls.ClientHelloReader;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Holds a connection's first bytes until it is known what they are and where they go. Not one is lost or reordered: they wait here
 * and are handed on as the first read of whatever comes next, when {@link #letGo} is called.
 */
final class DetectHandler extends ChannelInboundHandlerAdapter {
    /** What is done about what is seen. Called on the event loop; the handler is still in the pipeline. */
    interface Verdict {
        /** The client has said nothing for the grace period. */
        void silent();

        /** The first bytes are known. */
        void detected(Detection detection);

        /** Bytes came, and time ran out before they proved anything; or none came where they must. */
        void timedOut(int bytes);

        /** The client hung up first. */
        void gone(int bytes);
    }

    /**
     * How long to wait.
     *
     * @param grace for a silent client, before {@link Verdict#silent}; null if that must never happen
     * @param total for a decision
     * @param pause between two reads, once bytes have come; a ClientHello that has begun may take all the time for a decision, as it
     *     can be many segments long and nothing else begins so
     */
    record Patience(@Nullable Duration grace, Duration total, Duration pause) {}

    private static final Patience NO_PATIENCE = new Patience(null, Duration.ZERO, Duration.ZERO);

    private static final Verdict NOBODY = new Verdict() {
        @Override
        public void silent() {}

        @Override
        public void detected(Detection detection) {}

        @Override
        public void timedOut(int bytes) {}

        @Override
        public void gone(int bytes) {}
    };

    private Verdict verdict;
    private Layer layer;
    private Patience patience;
    private ByteBuf held = Unpooled.EMPTY_BUFFER;
    private boolean decided;

    /** With fewer bytes than this another look cannot tell more. */
    private int enough;

    private @Nullable ScheduledFuture<?> timer;
    private @Nullable ScheduledFuture<?> deadline;
    private @Nullable ChannelHandlerContext context;

    DetectHandler(Layer layer, Patience patience, Verdict verdict) {
        this.layer = layer;
        this.patience = patience;
        this.verdict = verdict;
    }

    /** One that only holds what comes: the protocol is known, and where it goes is not. */
    static DetectHandler holding() {
        DetectHandler holder = new DetectHandler(Layer.CLEAR, NO_PATIENCE, NOBODY);
        holder.decided = true;
        return holder;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        if (!decided) {
            await(ctx);
        }
    }

    /** Starts over, for somebody else, with what is left after the bytes that have been dealt with. */
    void again(Verdict next, Layer nextLayer, Patience newPatience, int skip) {
        skip(skip);
        verdict = next;
        layer = nextLayer;
        patience = newPatience;
        decided = false;
        enough = 0;
        if (context != null) {
            await(context);
            look(context);
        }
    }

    /** Drops bytes that were for the proxy. */
    void skip(int bytes) {
        held.skipBytes(bytes);
    }

    private void await(ChannelHandlerContext ctx) {
        stopTimers();
        Duration grace = patience.grace();
        if (grace == null) {
            deadline = schedule(ctx, patience.total(), this::outOfTime);
        } else if (!grace.isZero()) {
            timer = schedule(ctx, grace, () -> verdict.silent());
        }
        ctx.read();
        if (grace != null && grace.isZero() && !held.isReadable()) {
            verdict.silent();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        held = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), held, (ByteBuf) message);
        look(ctx);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (!decided) {
            ctx.read();
        }
    }

    private void look(ChannelHandlerContext ctx) {
        if (decided || held.readableBytes() < enough) {
            return;
        }
        Detection detection = ProtocolDetector.detect(held, layer);
        if (detection instanceof Detection.NeedMore(var atLeast)) {
            waitForMore(ctx, atLeast);
        } else {
            settle();
            verdict.detected(detection);
        }
    }

    /**
     * What proves something needs so many bytes; what disproves it may be the next, so each is looked at. Not so within a record of a
     * ClientHello that has begun: nothing there decides, and each look copies all of it, of which strangers could send a byte at a time.
     */
    private void waitForMore(ChannelHandlerContext ctx, int atLeast) {
        if (!held.isReadable()) {
            return;
        }
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
        if (ClientHelloReader.hasBegun(held)) {
            enough = atLeast;
        } else {
            timer = schedule(ctx, patience.pause(), this::outOfTime);
        }
        if (deadline == null) {
            deadline = schedule(ctx, patience.total(), this::outOfTime);
        }
    }

    private void outOfTime() {
        if (!decided) {
            settle();
            verdict.timedOut(held.readableBytes());
        }
    }

    private void settle() {
        decided = true;
        stopTimers();
    }

    /** No more looking: somebody else decided. The bytes are still held. */
    void stop() {
        settle();
    }

    /** Leaves, and hands the held bytes to the next handler. */
    void letGo() {
        ChannelHandlerContext ctx = context;
        if (ctx != null && !ctx.isRemoved()) {
            ctx.pipeline().remove(this);
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        settle();
        ByteBuf first = held;
        held = Unpooled.EMPTY_BUFFER;
        if (first.isReadable()) {
            ctx.fireChannelRead(first);
            ctx.fireChannelReadComplete();
        } else {
            first.release();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE && !decided) {
            settle();
            verdict.gone(held.readableBytes());
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        held.release();
        held = Unpooled.EMPTY_BUFFER;
        if (!decided) {
            settle();
            verdict.gone(0);
        }
        ctx.fireChannelInactive();
    }

    /** A reset, as a rule: nobody is left to be told, and to Netty it would be an error that nobody expected. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }

    private void stopTimers() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }

    private static ScheduledFuture<?> schedule(ChannelHandlerContext ctx, Duration delay, Runnable task) {
        return ctx.executor().schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }
}
