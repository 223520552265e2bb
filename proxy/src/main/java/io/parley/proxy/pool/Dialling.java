package io.parley.proxy.pool;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.parley.proxy.config.Endpoint;
import io.parley.wire.header.SessionProtocol;

/** Opens connections, through a peer proxy where an endpoint has one. */
public interface Dialling {
    /** Called once, on the event loop. */
    interface Outcome {
        void connected(Channel channel);

        void failed(Throwable cause);
    }

    /** Dials; the protocol is what a proxy before the endpoint is told. */
    void dial(EventLoop loop, Endpoint endpoint, SessionProtocol protocol, Outcome outcome);
}
