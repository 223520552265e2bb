package io.parley.proxy.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.io.IOException;
import java.time.Duration;
import javax.net.ssl.SSLException;

/** Sees a TLS handshake through, on whichever side, tells what came of it, and leaves; if it has failed, stays: TLS reports that once more, as an error. */
final class HandshakeHandler extends ChannelInboundHandlerAdapter {
    /** One of the two is called, once, on the event loop, before any byte inside is seen. */
    interface Outcome {
        /** Throws if the other side is not who it should be: then the handshake has failed after all. Nothing must have been done by then. */
        void succeeded(SslHandler tls) throws SSLException;

        void failed(Throwable cause);
    }

    private enum State {
        UNDER_WAY,
        SUCCEEDED,
        FAILED
    }

    private final SslHandler tls;
    private final Outcome outcome;
    private State state = State.UNDER_WAY;

    HandshakeHandler(SslHandler tls, Outcome outcome) {
        this.tls = tls;
        this.outcome = outcome;
    }

    /**
     * Begins a handshake with what comes next.
     *
     * @param patience how long it may take; TLS counts in milliseconds, and would wait for ever for none of them
     */
    static void begin(Channel channel, SslHandler tls, Duration patience, Outcome outcome) {
        tls.setHandshakeTimeoutMillis(Math.max(1, patience.toMillis()));
        channel.pipeline().addLast(tls, new HandshakeHandler(tls, outcome));
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        switch (state) {
            case UNDER_WAY -> happened(ctx, event);
            case SUCCEEDED -> ctx.fireUserEventTriggered(event);
            case FAILED -> {}
        }
    }

    private void happened(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            completed(ctx, handshake);
        } else if (event == ChannelInputShutdownEvent.INSTANCE) {
            // The handshake would wait for its timeout: it does not see an end that leaves the other direction open.
            fail(new IOException("the other side ended the connection before the handshake was over"));
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    private void completed(ChannelHandlerContext ctx, SslHandshakeCompletionEvent handshake) {
        if (!handshake.isSuccess()) {
            fail(handshake.cause());
            return;
        }
        state = State.SUCCEEDED;
        try {
            outcome.succeeded(tls);
        } catch (SSLException e) {
            fail(e);
            return;
        }
        if (!ctx.isRemoved()) {
            ctx.pipeline().remove(this);
        }
    }

    private void fail(Throwable cause) {
        state = State.FAILED;
        outcome.failed(cause);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // The end of a handshake that fails reports it; here it would only be logged twice.
        if (state == State.SUCCEEDED) {
            ctx.fireExceptionCaught(cause);
        }
    }
}
