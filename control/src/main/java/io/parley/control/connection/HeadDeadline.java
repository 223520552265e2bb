package io.parley.control.connection;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection on which no request comes, or one begins and its head does not end: a client that sends a byte now and then is never
 * idle, and until its head is there no request exists that could time out. The clock runs from the beginning of the connection, TLS
 * included, and from the first byte after the last answer. HTTP/2 connections are held to it until their first request: later bytes need
 * not belong to one.
 */
final class HeadDeadline extends ChannelInboundHandlerAdapter {
    static final String NAME = "head-deadline";

    private final Duration limit;
    private @Nullable Future<?> deadline;
    private int answering;
    private boolean done;

    HeadDeadline(Duration limit) {
        this.limit = limit;
    }

    /** To be asked before every request: its head has come. */
    static HttpResponse serve(HttpService next, ServiceRequestContext context, HttpRequest request) throws Exception {
        Channel channel = context.log().partial().channel();
        if (channel != null && channel.pipeline().get(NAME) instanceof HeadDeadline head) {
            head.arrived(context);
        }
        return next.serve(context, request);
    }

    private void arrived(ServiceRequestContext context) {
        cancel();
        done = context.sessionProtocol().isMultiplex();
        answering++;
        var _ = context.log().whenComplete().thenRunAsync(() -> answering--, context.eventLoop());
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        begins(context);
        context.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        begins(context);
        context.fireChannelRead(message);
    }

    private void begins(ChannelHandlerContext context) {
        if (!done && answering == 0 && deadline == null) {
            Runnable close = () -> {
                var _ = context.close();
            };
            deadline = context.executor().schedule(close, limit.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        cancel();
        done = true;
        context.fireChannelInactive();
    }

    private void cancel() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }
}
