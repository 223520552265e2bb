package io.parley.proxy.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.ScheduledFuture;
import io.parley.wire.proxyprotocol.ProxiedAddresses;
import io.parley.wire.proxyprotocol.ProxyProtocol;
import io.parley.wire.proxyprotocol.ProxyRead;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Takes the PROXY protocol header off the front of a connection, which must have one, and leaves. */
final class ProxyProtocolHandler extends ChannelInboundHandlerAdapter {
    /** Called once, on the event loop. */
    interface Outcome {
        /** The header is taken off; without addresses if the load balancer speaks for itself. */
        void read(Optional<ProxiedAddresses> addresses);

        void refused(String because);
    }

    private final Duration timeout;
    private final Outcome outcome;
    private ByteBuf held = Unpooled.EMPTY_BUFFER;
    private @Nullable ScheduledFuture<?> timer;
    private boolean done;

    ProxyProtocolHandler(Duration timeout, Outcome outcome) {
        this.timeout = timeout;
        this.outcome = outcome;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        timer = ctx.executor()
                .schedule(() -> refuse("no PROXY header in time"), timeout.toNanos(), TimeUnit.NANOSECONDS);
        ctx.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        held = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), held, (ByteBuf) message);
        if (done) {
            return;
        }
        switch (ProxyProtocol.read(held)) {
            case ProxyRead.NeedMore _ -> {}
            case ProxyRead.Absent() -> refuse("no PROXY header");
            case ProxyRead.Malformed(var because) -> refuse(because);
            case ProxyRead.Found(var addresses, var length) -> {
                done = true;
                held.skipBytes(length);
                outcome.read(Optional.ofNullable(addresses));
                ctx.pipeline().remove(this);
            }
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (!done) {
            ctx.read();
        }
    }

    private void refuse(String because) {
        if (!done) {
            done = true;
            outcome.refused(because);
        }
    }

    /** What came after the header goes to the handler that was added for it. */
    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        if (timer != null) {
            timer.cancel(false);
        }
        ByteBuf rest = held;
        held = Unpooled.EMPTY_BUFFER;
        if (rest.isReadable() && ctx.channel().isActive()) {
            ctx.fireChannelRead(rest);
            ctx.fireChannelReadComplete();
        } else {
            rest.release();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        done = true;
        ctx.pipeline().remove(this);
    }
}
