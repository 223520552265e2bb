package io.parley.control.connection;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.nio.channels.ClosedChannelException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells of handshakes that failed: a line for each kind of failure, once a minute, as anybody can have one fail. */
final class HandshakeLog extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(HandshakeLog.class);
    private static final OncePerMinute TOLD = new OncePerMinute(System::nanoTime);

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent end && !end.isSuccess()) {
            tell(context, end.cause());
        }
        context.fireUserEventTriggered(event);
    }

    private static void tell(ChannelHandlerContext context, Throwable cause) {
        // Who just goes away is a probe more often than not.
        if (!(cause instanceof ClosedChannelException)
                && TOLD.mayTell(cause.getClass().getName())) {
            LOG.warn(
                    "the TLS handshake with {} failed: {}",
                    context.channel().remoteAddress(),
                    cause instanceof NotSslRecordException ? "what came is no TLS" : cause.getMessage());
        }
    }
}
