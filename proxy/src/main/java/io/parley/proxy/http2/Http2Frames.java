package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;

/** Takes frames, and ends connections that send too many that say nothing. */
abstract class Http2Frames implements Http2FrameListener {
    private static final int MAX_EMPTY_IN_A_ROW = 1;

    private final FrameBudget budget;
    private int emptyInARow;
    private int messages;

    Http2Frames(FrameBudget budget) {
        this.budget = budget;
    }

    final FrameBudget budget() {
        return budget;
    }

    /** How many heads and pieces of content have come. */
    final int messages() {
        return messages;
    }

    private void carried() {
        messages++;
        budget.carried();
    }

    abstract void headers(int stream, Http2Headers headers, boolean last) throws Http2Exception;

    /** Takes content and says how much of it the peer may send anew. */
    abstract int data(int stream, ByteBuf data, int padding, boolean last);

    /** One frame that has nothing and ends nothing may be a slip (CVE-2019-9518). */
    @Override
    public int onDataRead(ChannelHandlerContext ctx, int stream, ByteBuf data, int padding, boolean last)
            throws Http2Exception {
        emptyInARow = data.isReadable() || last ? 0 : emptyInARow + 1;
        if (emptyInARow > MAX_EMPTY_IN_A_ROW) {
            throw new FloodException("empty-data-flood");
        }
        carried();
        return data(stream, data, padding, last);
    }

    @Override
    public void onHeadersRead(ChannelHandlerContext ctx, int stream, Http2Headers headers, int padding, boolean last)
            throws Http2Exception {
        carried();
        headers(stream, headers, last);
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext ctx,
            int stream,
            Http2Headers headers,
            int dependency,
            short weight,
            boolean exclusive,
            int padding,
            boolean last)
            throws Http2Exception {
        carried();
        headers(stream, headers, last);
    }

    @Override
    public void onPingRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
        budget.spend(FrameBudget.Kind.PING);
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) throws Http2Exception {
        budget.spend(FrameBudget.Kind.SETTINGS);
    }

    @Override
    public void onPriorityRead(ChannelHandlerContext ctx, int stream, int dependency, short weight, boolean exclusive)
            throws Http2Exception {
        budget.spend(FrameBudget.Kind.PRIORITY);
    }

    @Override
    public void onWindowUpdateRead(ChannelHandlerContext ctx, int stream, int increment) throws Http2Exception {
        budget.spend(FrameBudget.Kind.WINDOW_UPDATE);
    }

    @Override
    public void onUnknownFrame(ChannelHandlerContext ctx, byte type, int stream, Http2Flags flags, ByteBuf payload)
            throws Http2Exception {
        budget.spend(FrameBudget.Kind.UNKNOWN);
    }

    @Override
    public void onSettingsAckRead(ChannelHandlerContext ctx) {}

    @Override
    public void onPingAckRead(ChannelHandlerContext ctx, long data) {}

    @Override
    public void onPushPromiseRead(
            ChannelHandlerContext ctx, int stream, int promised, Http2Headers headers, int padding) {}

    @Override
    public void onGoAwayRead(ChannelHandlerContext ctx, int lastStream, long code, ByteBuf debug) {}
}
