package io.parley.proxy.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.Objects;

/**
 * One end of a joined connection: what it reads is written to the other end, which lives on the same event loop. A peer that does
 * not take its bytes stops the reading of ours, and the end of our input becomes the end of the other's output.
 */
final class RelayHandler extends ChannelInboundHandlerAdapter {
    /** Told what passes. Called on the event loop. */
    interface Watch {
        /** Bytes were read here and are about to reach the other end, who thus never knows of them before this does. */
        void passed(int bytes);

        /** This end sends no more. */
        void ended();

        /** This end is closed. */
        void closed();

        /** This end failed. */
        void failed(Throwable cause);
    }

    private final Channel peer;
    private final Watch watch;
    private int unreported;
    private int messages;
    private boolean straight;

    RelayHandler(Channel peer, Watch watch) {
        this.peer = peer;
        this.watch = watch;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        unreported += ((ByteBuf) message).readableBytes();
        peer.write(message, peer.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (unreported > 0) {
            watch.passed(unreported);
            unreported = 0;
            messages++;
        }
        peer.flush();
        if (!peer.isWritable()) {
            ctx.channel().config().setAutoRead(false);
        }
        if (!straight && messages > 1) {
            // A connection that carries one message each way is over before this would pay.
            straight = StraightRelay.between(ctx.channel(), peer, watch);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable() && !((DuplexChannel) peer).isInputShutdown()) {
            peer.config().setAutoRead(true);
        }
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            watch.ended();
            endPeersOutput();
            closeIfOver((DuplexChannel) ctx.channel());
        } else if (!(event instanceof SslHandshakeCompletionEvent)) {
            ctx.fireUserEventTriggered(event);
        }
    }

    /** The input may have ended before this handler was there to see it. */
    void startReading(DuplexChannel channel) {
        if (channel.isInputShutdown()) {
            watch.ended();
            endPeersOutput();
        } else {
            channel.config().setAutoRead(true);
        }
    }

    /** After what is still to be written; shutting down at once would drop it. */
    private void endPeersOutput() {
        peer.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener((ChannelFutureListener) written -> {
            if (written.channel() instanceof DuplexChannel duplex && duplex.isActive() && !duplex.isOutputShutdown()) {
                endOutput(duplex);
            }
        });
    }

    /**
     * A channel that has nothing more to send is closed as soon as it has nothing more to read either. Left to Netty that is one system call
     * instead of three, and no exception is thrown inside.
     */
    private static void endOutput(DuplexChannel channel) {
        if (channel.isInputShutdown()) {
            channel.close();
            return;
        }
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, false);
        if (!StraightRelay.endOutput(channel)) {
            channel.shutdownOutput();
        }
    }

    /** Nobody sends any more, in either direction. */
    private static void closeIfOver(DuplexChannel channel) {
        if (channel.isInputShutdown() && channel.isOutputShutdown()) {
            channel.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        watch.closed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        watch.failed(Objects.requireNonNull(cause));
    }
}
