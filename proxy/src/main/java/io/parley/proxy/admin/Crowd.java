package io.parley.proxy.admin;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.LinkedHashSet;
import java.util.SequencedSet;

/**
 * Keeps connections from becoming too many. The newest is let in and the oldest leaves: who is asked whether the proxy is alive must get an
 * answer, however many others hold on to theirs. All connections are of one event loop.
 */
@Sharable
final class Crowd extends ChannelInboundHandlerAdapter {
    static final int MAX_CONNECTIONS = 100;

    private final SequencedSet<Channel> open = new LinkedHashSet<>();

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        open.addLast(ctx.channel());
        if (open.size() > MAX_CONNECTIONS) {
            open.removeFirst().close();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        open.remove(ctx.channel());
    }
}
