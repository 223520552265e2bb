package io.parley.proxy.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import io.netty.util.concurrent.FastThreadLocal;
import io.parley.proxy.socket.EdgeSocket;
import io.parley.proxy.socket.Shortcut;
import java.io.IOException;
import java.nio.channels.NotYetConnectedException;
import org.jspecify.annotations.Nullable;

/**
 * From one socket to another, without the channels between: what is read into a buffer that the whole event loop shares is sent before anything else
 * is read. Only what the other end does not take at once is copied and left to its channel, and as long as that has something to send all goes
 * through the channels. So do ends and failures that epoll tells.
 */
final class StraightRelay implements Shortcut {
    /** As much as a channel reads at once. */
    private static final int CAPACITY = 256 << 10;

    private static final FastThreadLocal<ByteBuf> BUFFER = new FastThreadLocal<>() {
        @Override
        protected ByteBuf initialValue() {
            return Unpooled.directBuffer(CAPACITY, CAPACITY);
        }

        @Override
        protected void onRemoval(ByteBuf buffer) {
            buffer.release();
        }
    };

    private final EdgeSocket from;
    private final EdgeSocket to;
    private final RelayHandler.Watch watch;
    private final ByteBuf buffer;

    private StraightRelay(EdgeSocket from, EdgeSocket to, RelayHandler.Watch watch, ByteBuf buffer) {
        this.from = from;
        this.to = to;
        this.watch = watch;
        this.buffer = buffer;
    }

    /**
     * Lets what the channel reads from now on go straight to its peer, if both are plain sockets of one event loop: nobody else writes
     * to the peer then.
     *
     * @return whether they are, and there is memory for it
     */
    static boolean between(Channel channel, Channel peer, RelayHandler.Watch watch) {
        if (channel instanceof EdgeSocket one
                && peer instanceof EdgeSocket other
                && one.eventLoop().equals(other.eventLoop())
                && isPlain(one)
                && isPlain(other)) {
            ByteBuf buffer = buffer();
            if (buffer != null) {
                one.give(new StraightRelay(one, other, watch, buffer));
                return true;
            }
        }
        return false;
    }

    /** The event loop's, which takes memory once; null if there is none left. */
    private static @Nullable ByteBuf buffer() {
        try {
            return BUFFER.get();
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    /** Nobody but the relay reads or changes its bytes: there is no TLS, and detection is over. */
    private static boolean isPlain(Channel channel) {
        ChannelPipeline pipeline = channel.pipeline();
        return pipeline.first() instanceof RelayHandler relay && pipeline.last() == relay;
    }

    /**
     * Ends the output of a plain socket that has nothing more to send.
     *
     * @return whether it is one, and has been ended
     */
    static boolean endOutput(Channel channel) {
        if (channel instanceof EdgeSocket socket && isPlain(socket)) {
            try {
                socket.endOutput();
                return true;
            } catch (IOException | NotYetConnectedException e) {
                // It is no longer connected, which the channel finds out by itself.
                return false;
            }
        }
        return false;
    }

    @Override
    public boolean read() {
        ChannelOutboundBuffer waiting = to.unsafe().outboundBuffer();
        if (waiting == null
                || waiting.totalPendingWriteBytes() > 0
                || !from.config().isAutoRead()) {
            return false;
        }
        try {
            int bytes = from.receive(buffer.memoryAddress(), CAPACITY);
            if (bytes <= 0) {
                // The end, which is still there for the channel to read.
                return false;
            }
            watch.passed(bytes);
            int sent = to.send(buffer.memoryAddress(), bytes);
            if (sent < bytes) {
                leave(sent, bytes);
            }
            // Otherwise there may be more, which is the channel's.
            return bytes < CAPACITY;
        } catch (IOException e) {
            // The kernel tells an error once, so nobody else will hear of it.
            watch.failed(e);
        } catch (OutOfMemoryError e) {
            // Netty's, whose limit is reached: what was read is lost, and must not look finished.
            watch.failed(new IOException("no memory is left for what was read", e));
        }
        return true;
    }

    private void leave(int sent, int bytes) {
        ByteBuf rest = to.alloc().directBuffer(bytes - sent);
        rest.writeBytes(buffer, sent, bytes - sent);
        to.writeAndFlush(rest, to.voidPromise());
        if (!to.isWritable()) {
            from.config().setAutoRead(false);
        }
    }
}
