package io.parley.link.server;

import com.linecorp.armeria.common.websocket.WebSocketCloseStatus;
import com.linecorp.armeria.common.websocket.WebSocketWriter;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.parley.link.peer.Wire;
import io.parley.wire.wrpc.CloseReason;
import java.util.concurrent.TimeUnit;

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

    void pong(byte[] payload) {
        if (out.isOpen()) {
            out.writePong(payload);
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
}
