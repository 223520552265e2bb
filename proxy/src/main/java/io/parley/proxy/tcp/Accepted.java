package io.parley.proxy.tcp;

import io.parley.proxy.Direction;
import java.net.InetSocketAddress;

/**
 * A connection that was let in, and nothing more is known of it.
 *
 * @param listener the name of the listener that took it
 * @param client where it comes from
 * @param destination what the client dialled, which is not this proxy if the kernel redirected the connection
 * @param at the ticker's reading
 */
public record Accepted(
        Direction direction, String listener, InetSocketAddress client, InetSocketAddress destination, long at) {}
