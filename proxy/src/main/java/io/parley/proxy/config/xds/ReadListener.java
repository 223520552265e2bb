package io.parley.proxy.config.xds;

import io.parley.proxy.Direction;
import io.parley.proxy.config.ListenerConfig.Destinations;
import io.parley.proxy.config.ListenerConfig.Limits;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A listener as its resource says, before the clusters that it names are known.
 *
 * @param others what holds for connections that no chain is for; null if they are refused
 * @param gatewayDomains in which the names of services must be that this proxy passes connections on to
 * @param gateway what it says as a gateway's listener, and then it has no chains; null if it is none
 */
record ReadListener(
        String name,
        Direction direction,
        InetSocketAddress address,
        Destinations destinations,
        Limits limits,
        List<Chain> chains,
        @Nullable Chain others,
        Set<String> gatewayDomains,
        @Nullable ReadGateway gateway) {
    ReadListener {
        chains = List.copyOf(chains);
        gatewayDomains = Set.copyOf(gatewayDomains);
    }

    /** Whether it stands for one port of the application, and not for all of them. */
    boolean isForOnePort() {
        return destinations == Destinations.LISTENER
                && !name.equals("inbound")
                && chains.stream().noneMatch(chain -> chain.match().port() != 0);
    }

    Stream<Chain> allChains() {
        return Stream.concat(chains.stream(), Stream.ofNullable(others));
    }
}
