package io.parley.proxy.socket;

import io.netty.channel.ChannelPromise;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection that is being made. */
final class Dial {
    private final EdgeSocket socket;
    private final InetSocketAddress to;
    private final ChannelPromise promise;
    private @Nullable Future<?> alarm;

    Dial(EdgeSocket socket, InetSocketAddress to, ChannelPromise promise) {
        this.socket = socket;
        this.to = to;
        this.promise = promise;
    }

    InetSocketAddress to() {
        return to;
    }

    ChannelPromise promise() {
        return promise;
    }

    /** Gives up after so many milliseconds, if there are any. */
    void limit(EventLoop loop, int millis) {
        if (millis > 0) {
            alarm = loop.schedule(
                    () -> fail(new ConnectTimeoutException("connection timed out after " + millis + " ms: " + to)),
                    millis,
                    TimeUnit.MILLISECONDS);
        }
    }

    private void fail(Throwable cause) {
        promise.tryFailure(cause);
        socket.closeNow();
    }

    /** It is over, one way or the other. */
    void end() {
        if (alarm != null) {
            alarm.cancel(false);
        }
    }

    /** It is given up by whoever closes the socket. */
    void abandon() {
        end();
        promise.tryFailure(new ClosedChannelException());
    }
}
