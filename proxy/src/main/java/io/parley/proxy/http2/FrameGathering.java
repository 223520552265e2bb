package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies small frames that leave together into one buffer. Netty writes the nine bytes before each frame by themselves, and an entry in
 * its queue and in the kernel's vector costs more than a copy of a few hundred bytes. One that leaves alone, or before a large one, is passed as it
 * is.
 */
final class FrameGathering extends ChannelOutboundHandlerAdapter {
    private static final int SMALL = 1 << 10;
    private static final int CAPACITY = 8 << 10;

    private @Nullable ByteBuf first;
    private @Nullable ChannelPromise firstWriter;
    private @Nullable ByteBuf gathered;
    private List<ChannelPromise> waiting = new ArrayList<>();

    /** Nothing waits for a channel that is closed: its pipeline may be gone as well, and then nobody would ask for it any more. */
    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof ByteBuf bytes
                && bytes.readableBytes() <= SMALL
                && ctx.channel().isOpen()) {
            if (first == null && gathered == null) {
                first = bytes;
                firstWriter = promise;
            } else {
                gather(ctx, bytes, promise);
            }
        } else {
            pass(ctx);
            ctx.write(message, promise);
        }
    }

    private void gather(ChannelHandlerContext ctx, ByteBuf bytes, ChannelPromise promise) {
        // A writer who is told that its frame is lost may write another from within.
        while (gathered != null && gathered.writableBytes() < bytes.readableBytes()) {
            pass(ctx);
        }
        ByteBuf into = gathered;
        if (into == null) {
            into = ctx.alloc().ioBuffer(CAPACITY, CAPACITY);
            gathered = into;
        }
        if (first != null && firstWriter != null) {
            copy(first, firstWriter, into);
            first = null;
        }
        copy(bytes, promise, into);
    }

    private void copy(ByteBuf bytes, ChannelPromise promise, ByteBuf into) {
        into.writeBytes(bytes);
        bytes.release();
        if (!promise.isVoid()) {
            waiting.add(promise);
        }
    }

    private void pass(ChannelHandlerContext ctx) {
        ByteBuf alone = first;
        if (alone != null && firstWriter != null) {
            first = null;
            ctx.write(alone, firstWriter);
            return;
        }
        ByteBuf bytes = gathered;
        if (bytes == null) {
            return;
        }
        gathered = null;
        List<ChannelPromise> promises = waiting;
        waiting = new ArrayList<>(promises.size());
        ChannelFuture written = ctx.write(bytes);
        written.addListener(_ -> promises.forEach(promise -> tell(promise, written)));
    }

    private static void tell(ChannelPromise promise, ChannelFuture written) {
        if (written.isSuccess()) {
            promise.trySuccess();
        } else {
            promise.tryFailure(written.cause());
        }
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        pass(ctx);
        ctx.flush();
    }

    /** What was not flushed is lost, as it is without this handler, and its writers are told. */
    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        pass(ctx);
        ctx.close(promise);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        pass(ctx);
    }
}
