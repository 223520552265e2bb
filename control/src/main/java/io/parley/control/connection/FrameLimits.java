package io.parley.control.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;

/**
 * Ends a connection of HTTP/2 whose frames are a flood. Netty limits resets, empty content and CONTINUATION by itself, the frames it must
 * answer only where it makes the encoder, and the HTTP library here makes it.
 */
final class FrameLimits extends Http2FrameListenerDecorator {
    private final FrameBudget budget;

    private FrameLimits(Http2FrameListener listener, FrameBudget budget) {
        super(listener);
        this.budget = budget;
    }

    /** Puts a connection under the limits, and tells the log when it ends for a fault. */
    static void addTo(Http2ConnectionHandler http2, ChannelHandlerContext context) {
        FrameBudget budget = new FrameBudget(System::nanoTime);
        http2.decoder().frameListener(new FrameLimits(http2.decoder().frameListener(), budget));
        context.pipeline().addBefore(context.name(), null, new MadeResets(http2, context, budget));
        http2.connection().addListener(new FaultLog(context.channel().remoteAddress()));
    }

    static Http2Exception flood(FrameBudget.Kind kind) {
        return Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "%s", kind.word());
    }

    private void spend(FrameBudget.Kind kind) throws Http2Exception {
        if (!budget.allows(kind)) {
            throw flood(kind);
        }
    }

    @Override
    public void onPingRead(ChannelHandlerContext context, long data) throws Http2Exception {
        spend(FrameBudget.Kind.PING);
        super.onPingRead(context, data);
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext context, Http2Settings settings) throws Http2Exception {
        spend(FrameBudget.Kind.SETTINGS);
        super.onSettingsRead(context, settings);
    }

    @Override
    public void onPriorityRead(
            ChannelHandlerContext context, int stream, int dependency, short weight, boolean exclusive)
            throws Http2Exception {
        spend(FrameBudget.Kind.PRIORITY);
        super.onPriorityRead(context, stream, dependency, weight, exclusive);
    }

    @Override
    public void onUnknownFrame(ChannelHandlerContext context, byte type, int stream, Http2Flags flags, ByteBuf payload)
            throws Http2Exception {
        spend(FrameBudget.Kind.UNKNOWN);
        super.onUnknownFrame(context, type, stream, flags, payload);
    }

    @Override
    public int onDataRead(ChannelHandlerContext context, int stream, ByteBuf data, int padding, boolean end)
            throws Http2Exception {
        budget.carried();
        return super.onDataRead(context, stream, data, padding, end);
    }

    @Override
    public void onHeadersRead(ChannelHandlerContext context, int stream, Http2Headers headers, int padding, boolean end)
            throws Http2Exception {
        budget.carried();
        super.onHeadersRead(context, stream, headers, padding, end);
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext context,
            int stream,
            Http2Headers headers,
            int dependency,
            short weight,
            boolean exclusive,
            int padding,
            boolean end)
            throws Http2Exception {
        budget.carried();
        super.onHeadersRead(context, stream, headers, dependency, weight, exclusive, padding, end);
    }
}
