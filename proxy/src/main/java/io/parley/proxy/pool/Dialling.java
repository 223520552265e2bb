package io.parley.proxy.pool;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.parley.proxy.config.Endpoint;
import io.parley.wire.header.SessionProtocol;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Opens connections, through a peer proxy where an endpoint has one. */
public interface Dialling {
    /** Called once, on the event loop. */
    interface Outcome {
        void connected(Channel channel);

        void failed(Throwable cause);
    }

    /** Whether connections to an endpoint that are open may be used on: not if nobody can prove any more who uses them. */
    default boolean permits(Endpoint endpoint) {
        return true;
    }

    /**
     * Dials.
     *
     * @param connect how long the endpoint may take to accept; null if the proxy's own time holds
     * @param protocol what a proxy before the endpoint is told; null if it is to find out itself
     */
    void dial(
            EventLoop loop,
            Endpoint endpoint,
            @Nullable Duration connect,
            @Nullable SessionProtocol protocol,
            Outcome outcome);
}
