package io.parley.link.client;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.parley.link.peer.Wire;
import io.parley.wire.wrpc.CloseReason;
import java.util.concurrent.TimeUnit;

/** A WebSocket on a Netty channel. What is sent in one turn of the event loop leaves in one flush. */
final class NettyWire implements Wire {
    private static final long CLOSE_SECONDS = 2;

    private final Channel channel;
    private long queued;
    private boolean flushing;

    NettyWire(Channel channel) {
        this.channel = channel;
    }

    @Override
    public void send(byte[] message) {
        queued += message.length;
        var _ = channel.write(new BinaryWebSocketFrame(Unpooled.wrappedBuffer(message)))
                .addListener(_ -> queued -= message.length);
        if (!flushing) {
            flushing = true;
            channel.eventLoop().execute(this::flush);
        }
    }

    @Override
    public long queuedBytes() {
        return queued;
    }

    @Override
    public void close(CloseReason reason) {
        var _ = channel.writeAndFlush(new CloseWebSocketFrame(reason.code(), reason.text()))
                .addListener(ChannelFutureListener.CLOSE);
        // The write may never finish if the peer does not read.
        var _ = channel.eventLoop().schedule(this::abort, CLOSE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void abort() {
        var _ = channel.close();
    }

    private void flush() {
        flushing = false;
        channel.flush();
    }
}
