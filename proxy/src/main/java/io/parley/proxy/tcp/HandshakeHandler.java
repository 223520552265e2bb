package io.parley.proxy.tcp;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.wire.header.ConnectionHeader;
import java.io.IOException;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Waits for a client's TLS handshake to end, tells who it is, and leaves; if it has failed, stays: TLS reports that once more, as an error. */
final class HandshakeHandler extends ChannelInboundHandlerAdapter {
    /** Whether the two sides agreed in their handshake that a connection header comes. */
    enum HeaderAgreed {
        YES,
        NO
    }

    /** Called once, on the event loop, before any byte of the application is seen. */
    interface Outcome {
        void identified(List<SpiffeId> names, HeaderAgreed header);

        void failed(Throwable cause);
    }

    private final Outcome outcome;
    private boolean failed;

    HandshakeHandler(Outcome outcome) {
        this.outcome = outcome;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (failed) {
            return;
        }
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (handshake.isSuccess()) {
                SslHandler tls = ctx.pipeline().get(SslHandler.class);
                ctx.pipeline().remove(this);
                identify(tls);
            } else {
                fail(handshake.cause());
            }
        } else if (event == ChannelInputShutdownEvent.INSTANCE) {
            // The handshake would wait for its timeout: it does not see an end that leaves the other direction open.
            fail(new IOException("the client ended the connection before the handshake was over"));
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    private void fail(Throwable cause) {
        failed = true;
        outcome.failed(cause);
    }

    private void identify(SslHandler tls) {
        try {
            outcome.identified(
                    PeerIdentity.allOf(tls.engine().getSession()),
                    ConnectionHeader.ALPN.equals(tls.applicationProtocol()) ? HeaderAgreed.YES : HeaderAgreed.NO);
        } catch (SSLPeerUnverifiedException e) {
            outcome.failed(e);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // The handshake's end reports it.
    }
}
