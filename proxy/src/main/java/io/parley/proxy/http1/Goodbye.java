package io.parley.proxy.http1;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslCloseCompletionEvent;

/** Notes whether a connection with TLS ended without TLS's goodbye: whoever is in between can end it so, and make an answer look finished. */
final class Goodbye extends ChannelInboundHandlerAdapter {
    private boolean missing;

    boolean isMissing() {
        return missing;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        missing |= event instanceof SslCloseCompletionEvent end && !end.isSuccess();
        ctx.fireUserEventTriggered(event);
    }
}
