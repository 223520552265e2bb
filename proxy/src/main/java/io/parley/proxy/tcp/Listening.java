package io.parley.proxy.tcp;

import io.netty.channel.ChannelFuture;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.Timeouts;
import java.net.InetSocketAddress;

/** An address that is listened on. What is done there may change; the address may not. */
public interface Listening {
    ListenerConfig config();

    /** What comes from now on follows the new settings, what is under way stays as it is. */
    void update(ListenerConfig config, Timeouts timeouts);

    /** Takes the address. Whoever comes waits until {@link #open}. */
    ChannelFuture bind();

    /** Starts to accept, once all is in place that this needs. */
    void open();

    /** The address that is listened on, with the port that the system chose if none was asked for. */
    InetSocketAddress address();

    /** Accepts nothing more. */
    ChannelFuture close();
}
