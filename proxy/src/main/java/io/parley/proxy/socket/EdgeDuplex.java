package io.parley.proxy.socket;

import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.nio.channels.NotYetConnectedException;
import org.jspecify.annotations.Nullable;

/** A connection has two directions, each of which ends by itself. */
abstract class EdgeDuplex extends EdgeChannel implements DuplexChannel {
    private volatile boolean inputOver;

    EdgeDuplex(@Nullable Channel parent, TcpDescriptor descriptor) {
        super(parent, descriptor);
    }

    @Override
    public abstract ChannelConfig config();

    /** Whether the connection goes on when the other side sends no more. */
    abstract boolean isHalfClosureAllowed();

    /** The other side has sent its last byte, and it has been read. */
    final void inputEnded() {
        if (inputOver || !isOpen()) {
            return;
        }
        inputOver = true;
        if (isHalfClosureAllowed()) {
            pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
            pipeline().fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
        } else {
            closeNow();
        }
    }

    /**
     * Ends the output of a socket that has nothing more to send, past the channel. That would make an exception for writes that can still come, with a
     * stack trace that takes 2 % of the life of a short connection.
     */
    public final void endOutput() throws IOException {
        descriptor().shutdown(false, true);
    }

    @Override
    protected final void doShutdownOutput() throws IOException {
        endOutput();
    }

    @Override
    public final boolean isInputShutdown() {
        return inputOver || !isOpen();
    }

    @Override
    public final boolean isOutputShutdown() {
        return descriptor().isOutputShutdown();
    }

    @Override
    public final boolean isShutdown() {
        return isInputShutdown() && isOutputShutdown();
    }

    @Override
    public final ChannelFuture shutdownOutput() {
        return shutdownOutput(newPromise());
    }

    @Override
    public final ChannelFuture shutdownOutput(ChannelPromise promise) {
        return onLoop(promise, () -> ((Handle) unsafe()).shutdownOutput(promise));
    }

    @Override
    public final ChannelFuture shutdownInput() {
        return shutdownInput(newPromise());
    }

    @Override
    public final ChannelFuture shutdownInput(ChannelPromise promise) {
        return onLoop(promise, () -> {
            try {
                descriptor().shutdown(true, false);
                inputEnded();
                promise.setSuccess();
            } catch (IOException | NotYetConnectedException e) {
                promise.setFailure(e);
            }
        });
    }

    @Override
    public final ChannelFuture shutdown() {
        return shutdown(newPromise());
    }

    @Override
    public final ChannelFuture shutdown(ChannelPromise promise) {
        return onLoop(promise, () -> {
            shutdownOutput();
            shutdownInput(promise);
        });
    }

    private ChannelFuture onLoop(ChannelPromise promise, Runnable task) {
        if (eventLoop().inEventLoop()) {
            task.run();
        } else {
            eventLoop().execute(task);
        }
        return promise;
    }
}
