package io.parley.control.connection;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;

/** Waits for the connection to speak HTTP/2, agreed on by TLS, by a preface or by an upgrade, and then limits what its frames may cost. */
final class Http2Entry extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        context.fireChannelRead(message);
        ChannelHandlerContext http2 = context.pipeline().context(Http2ConnectionHandler.class);
        if (http2 != null) {
            FrameLimits.addTo((Http2ConnectionHandler) http2.handler(), http2);
            context.pipeline().remove(this);
        }
    }
}
