package io.parley.wire.proxyprotocol;

import java.net.InetSocketAddress;

/** The two ends of the connection that a load balancer accepted. */
public record ProxiedAddresses(InetSocketAddress source, InetSocketAddress destination) {}
