package io.parley.control.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2ConnectionHandler;

/**
 * Counts the RST_STREAM frames that this side writes, also for streams that are over or never were: of those only the bytes tell. Netty writes
 * each such frame at once.
 */
final class MadeResets extends ChannelOutboundHandlerAdapter {
    // RFC 9113 4.1 and 6.4
    private static final int FRAME_BYTES = 13;
    private static final int CODE_BYTES = 4;
    private static final int RST_STREAM = 3;
    private static final int TYPE = 3;

    private final Http2ConnectionHandler http2;
    private final ChannelHandlerContext owner;
    private final FrameBudget budget;
    private boolean ending;

    MadeResets(Http2ConnectionHandler http2, ChannelHandlerContext owner, FrameBudget budget) {
        this.http2 = http2;
        this.owner = owner;
        this.budget = budget;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        boolean tooMany = message instanceof ByteBuf bytes
                && isReset(bytes)
                && !ending
                && !budget.allows(FrameBudget.Kind.MADE_RESET);
        var _ = context.write(message, promise);
        if (tooMany) {
            ending = true;
            http2.onError(owner, true, FrameLimits.flood(FrameBudget.Kind.MADE_RESET));
        }
    }

    private static boolean isReset(ByteBuf bytes) {
        int start = bytes.readerIndex();
        return bytes.readableBytes() == FRAME_BYTES
                && bytes.getUnsignedMedium(start) == CODE_BYTES
                && bytes.getByte(start + TYPE) == RST_STREAM;
    }
}
