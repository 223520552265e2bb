package io.parley.proxy.config;

import io.parley.proxy.Direction;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * One address on which connections are accepted.
 *
 * @param name for people and metrics; a listener keeps its identity across updates by it
 * @param destinations how the proxy learns which address the client dialled
 * @param limits what may come in
 */
public record ListenerConfig(
        String name,
        Direction direction,
        InetSocketAddress address,
        Destinations destinations,
        Routing routing,
        Limits limits) {
    /** How the address that a client dialled is known. */
    public enum Destinations {
        /** The client dialled the listener itself. */
        LISTENER,

        /** The kernel redirected the connection here and remembers its destination. */
        KERNEL,

        /** A load balancer writes it in front of the connection, by the PROXY protocol. */
        PROXY_PROTOCOL
    }

    /**
     * What may come in.
     *
     * @param maxConnections open at the same time
     * @param every how long after one connection the next may come, on average; zero for no limit
     * @param burst how many of them may come at once
     */
    public record Limits(int maxConnections, Duration every, int burst) {
        public static final Limits DEFAULT = new Limits(10_000, Duration.ZERO, 0);
    }
}
