package io.parley.proxy.config.xds;

import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.Protocol;
import io.parley.wire.header.HeaderMagic;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint as its resource says.
 *
 * @param inboundPort of the proxy beside it; 0 if that takes no connection header
 * @param identity null if the resource does not say
 * @param serverName empty if the resource does not say
 * @param name for a gateway: the service to pass on to
 * @param weight how many turns it has in relation to the others
 */
record ReadEndpoint(
        InetSocketAddress address,
        int inboundPort,
        @Nullable SpiffeId identity,
        String serverName,
        HeaderMagic magic,
        @Nullable String name,
        Protocol hint,
        int weight) {}
