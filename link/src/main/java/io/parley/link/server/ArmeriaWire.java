package io.parley.link.server;

import com.linecorp.armeria.common.websocket.WebSocketCloseStatus;
import com.linecorp.armeria.common.websocket.WebSocketFrame;
import com.linecorp.armeria.common.websocket.WebSocketWriter;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.parley.link.peer.Wire;
import io.parley.wire.wrpc.CloseReason;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A WebSocket of Armeria's, and what waits in it. */
final class ArmeriaWire implements Wire {
    /** How long a peer may take to read the close frame and hang up. */
    private static final long CLOSE_SECONDS = 2;

    private final WebSocketWriter out;
    private final ServiceRequestContext ctx;
    private final EventLoop loop;
    private long written;
    private long consumed;
    private boolean marked;
    private byte @Nullable [] nextPong;
    private boolean ponging;

    ArmeriaWire(WebSocketWriter out, ServiceRequestContext ctx, EventLoop loop) {
        this.out = out;
        this.ctx = ctx;
        this.loop = loop;
    }

    @Override
    public void send(byte[] message) {
        if (out.tryWrite(message)) {
            written += message.length;
            mark();
        }
    }

    /**
     * RFC 6455, 5.5.3: of several pings only the last needs its pong. One waits at a time, so that whoever sends pings and reads
     * nothing fills no memory.
     */
    void pong(byte[] payload) {
        nextPong = payload;
        if (!ponging) {
            pongNext();
        }
    }

    @Override
    public long queuedBytes() {
        return written - consumed;
    }

    @Override
    public void close(CloseReason reason) {
        if (out.isOpen()) {
            out.close(WebSocketCloseStatus.valueOf(reason.code()), reason.text());
        }
        var _ = loop.schedule(this::abort, CLOSE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void abort() {
        out.abort();
        Channel channel = ctx.log().partial().channel();
        if (channel != null) {
            var _ = channel.close();
        }
    }

    /** One mark at a time travels through the stream behind what was written; when it arrives, all that has left. */
    private void mark() {
        if (marked) {
            return;
        }
        marked = true;
        long upTo = written;
        var _ = out.whenConsumed()
                .handleAsync(
                        (_, failure) -> {
                            marked = false;
                            consumed = failure == null ? upTo : written;
                            if (written > consumed) {
                                mark();
                            }
                            return null;
                        },
                        loop);
    }

    private void pongNext() {
        byte[] payload = nextPong;
        nextPong = null;
        ponging = payload != null && out.tryWrite(WebSocketFrame.ofPong(payload));
        if (ponging) {
            var _ = out.whenConsumed()
                    .handleAsync(
                            (_, _) -> {
                                pongNext();
                                return null;
                            },
                            loop);
        }
    }
}
