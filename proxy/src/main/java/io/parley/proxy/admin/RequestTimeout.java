package io.parley.proxy.admin;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends connections whose request does not come: the first must be whole soon after the connection is there, each later one soon after its
 * first byte. A byte now and then buys no time.
 */
final class RequestTimeout extends ChannelDuplexHandler {
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private @Nullable ScheduledFuture<?> timer;
    private boolean answering;

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        start(ctx);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (timer == null && !answering) {
            start(ctx);
        }
        ctx.fireChannelRead(message);
    }

    /** A request has come whole; how long its answer takes is not the client's doing. */
    void whole() {
        answering = true;
        stop();
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        answering = false;
        ctx.write(message, promise);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        stop();
    }

    private void start(ChannelHandlerContext ctx) {
        timer = ctx.executor().schedule(() -> ctx.close(), PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void stop() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
