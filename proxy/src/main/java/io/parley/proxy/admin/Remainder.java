package io.parley.proxy.admin;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;

/**
 * What follows the last request that is answered on a connection. It is read, since only who reads learns that the caller has left, and thrown
 * away; who sends much of it is closed.
 */
final class Remainder extends SimpleChannelInboundHandler<ByteBuf> {
    private static final int MAX_BYTES = 8_192;

    private int bytes;

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf more) {
        bytes += more.readableBytes();
        if (bytes > MAX_BYTES) {
            ctx.close();
        }
    }
}
