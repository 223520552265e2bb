package io.parley.proxy.tcp;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/**
 * Lets the last words of TLS reach the other side (RFC 8446 6.2). A socket that closes while bytes wait to be read, or are still to come, makes
 * the system reset the connection, and the reset overtakes the alert. So only the output ends at first; what comes is passed over until the other side
 * ends too, or has had its time.
 */
final class Farewell extends ChannelDuplexHandler {
    private static final long LINGER_MILLIS = 1_000;

    private boolean begun;

    private Farewell() {}

    /** Closes a connection so, once what happens to it at the moment is over: only then TLS says why a handshake has failed. */
    static void to(Channel channel) {
        if (channel.isOpen()) {
            channel.pipeline().addFirst(new Farewell());
            channel.eventLoop().execute(channel::close);
        }
    }

    /** TLS closes too; all are told when it is over. */
    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        Channel channel = ctx.channel();
        channel.closeFuture().addListener(_ -> promise.trySuccess());
        if (begun) {
            return;
        }
        begun = true;
        var limit = ctx.executor()
                .schedule(
                        () -> {
                            var _ = ctx.close();
                        },
                        LINGER_MILLIS,
                        TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(_ -> limit.cancel(false));
        ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> endOutput(ctx));
        channel.config().setAutoRead(true);
    }

    private static void endOutput(ChannelHandlerContext ctx) {
        if (ctx.channel() instanceof DuplexChannel duplex && !duplex.isInputShutdown()) {
            duplex.shutdownOutput();
        } else {
            ctx.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (begun) {
            ReferenceCountUtil.release(message);
        } else {
            ctx.fireChannelRead(message);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (begun && event == ChannelInputShutdownEvent.INSTANCE) {
            ctx.close();
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }
}
