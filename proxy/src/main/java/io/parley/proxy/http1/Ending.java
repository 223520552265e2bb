package io.parley.proxy.http1;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.parley.proxy.exchange.HttpLoop;
import java.time.Duration;

/** The end of a client's connection: what is still to be written goes out first, however slowly the client takes it. */
final class Ending {
    private static final long LINGER_NANOS = Duration.ofSeconds(2).toNanos();

    private final HttpLoop loop;
    private final Channel channel;
    private boolean inputEnded;
    private boolean lingering;
    private long since;

    Ending(HttpLoop loop, Channel channel) {
        this.loop = loop;
        this.channel = channel;
    }

    /**
     * Closes after what is still to be written. If the client may send more, at most the output ends then, and the input stays open for
     * a while: bytes that nobody reads would make the system reset the connection, and the client might never see the answer
     * (RFC 9112 9.6).
     */
    void begin(boolean unread) {
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> written(unread));
    }

    private void written(boolean unread) {
        if (unread && !inputEnded && channel instanceof DuplexChannel duplex) {
            lingering = true;
            since = loop.now();
            if (channel.pipeline().get(SslHandler.class) == null) {
                duplex.shutdownOutput();
            }
            // TLS has no end of one direction that all clients know. They were told that the connection ends, and do
            // so.
        } else {
            channel.close();
        }
    }

    /** The client sends no more. */
    void inputEnded() {
        inputEnded = true;
        if (lingering) {
            channel.close();
        }
    }

    /** Whether the client had time enough to read the answer. */
    boolean isOver(long now) {
        return lingering && now - since > LINGER_NANOS;
    }
}
