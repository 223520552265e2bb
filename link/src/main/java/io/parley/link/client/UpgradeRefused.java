package io.parley.link.client;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Keeps what the control plane says when it does not upgrade; the WebSocket handshake would only tell the status. */
final class UpgradeRefused extends ChannelInboundHandlerAdapter {
    private static final int MAX_TEXT = 500;

    private final Consumer<String> refused;

    UpgradeRefused(Consumer<String> refused) {
        this.refused = refused;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        if (msg instanceof FullHttpResponse response
                && !response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
            int length = Math.min(response.content().readableBytes(), MAX_TEXT);
            String text = response.content()
                    .toString(response.content().readerIndex(), length, StandardCharsets.UTF_8)
                    .strip();
            refused.accept("control plane refuses the upgrade: " + response.status() + " " + text);
            ReferenceCountUtil.release(msg);
            var _ = ctx.close();
            return;
        }
        ctx.fireChannelRead(msg);
    }
}
