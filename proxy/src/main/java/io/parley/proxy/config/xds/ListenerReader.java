package io.parley.proxy.config.xds;

import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.core.v3.TrafficDirection;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.extensions.filters.listener.original_dst.v3.OriginalDst;
import io.envoyproxy.envoy.extensions.filters.listener.proxy_protocol.v3.ProxyProtocol;
import io.parley.proxy.Direction;
import io.parley.proxy.config.ListenerConfig.Destinations;
import io.parley.proxy.config.ListenerConfig.Limits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a listener. */
final class ListenerReader {
    private final Listener listener;
    private final Reading reading;
    private final Direction direction;

    private ListenerReader(Listener listener, Reading reading) {
        this.listener = listener;
        this.reading = reading;
        this.direction = direction();
    }

    static ReadListener read(Listener listener, Reading reading) {
        return new ListenerReader(listener, reading).read();
    }

    private ReadListener read() {
        Extras extras = Extras.of(listener.getMetadata(), "");
        return extras.text("gateway", reading) == null ? mesh(extras) : gateway(extras);
    }

    private ReadListener gateway(Extras extras) {
        GatewayReader reader = new GatewayReader(listener, extras, reading);
        ReadGateway gateway = reader.read();
        return new ReadListener(
                listener.getName(),
                Direction.OUTBOUND,
                SocketAddresses.read(listener.getAddress(), "address", reading),
                gateway.datagrams() == null ? destinations() : Destinations.LISTENER,
                reader.limits(),
                List.of(),
                null,
                Set.of(),
                gateway);
    }

    private ReadListener mesh(Extras extras) {
        if (listener.getAddress().getSocketAddress().getProtocol() != SocketAddress.Protocol.TCP) {
            reading.fail("address.socket_address.protocol", "UDP (expected: TCP, except on a gateway)");
        }
        List<Chain> chains = new ArrayList<>();
        for (int i = 0; i < listener.getFilterChainsCount(); i++) {
            chains.add(ChainReader.read(listener.getFilterChains(i), "filter_chains[" + i + "]", direction, reading));
        }
        Chain others = listener.hasDefaultFilterChain()
                ? ChainReader.read(listener.getDefaultFilterChain(), "default_filter_chain", direction, reading)
                : null;
        if (chains.isEmpty() && others == null) {
            reading.fail("filter_chains", "none (expected: at least one, or a default_filter_chain)");
        }
        ReadListener read = new ReadListener(
                listener.getName(),
                direction,
                SocketAddresses.read(listener.getAddress(), "address", reading),
                destinations(),
                limits(chains, others),
                chains,
                others,
                Set.copyOf(extras.texts("gateway_domains", reading)),
                null);
        checkShape(read);
        return read;
    }

    /** Which chains can be told apart depends on what is known of a connection when it comes. */
    private void checkShape(ReadListener read) {
        boolean outbound = direction == Direction.OUTBOUND;
        boolean single = outbound ? read.destinations() == Destinations.LISTENER : read.isForOnePort();
        long count = read.allChains().count();
        if (single && count > 1) {
            reading.fail("filter_chains", count + " (expected: one, as all connections come to one address)");
        }
        Chain others = read.others();
        if (outbound && !single && others != null && !others.raw().logs().isEmpty()) {
            reading.fail(
                    "default_filter_chain", "access_log (expected: none, as nothing is told of unknown destinations)");
        }
        if (outbound && !single && others != null && !(others.goal() instanceof Chain.Goal.ToCluster)) {
            reading.fail(
                    "default_filter_chain",
                    "http_connection_manager (expected: tcp_proxy, as unknown destinations are passed as they are)");
        }
        for (Chain chain : read.chains()) {
            Chain.Match match = chain.match();
            boolean told = single || (outbound ? !match.addresses().isEmpty() && match.port() != 0 : match.port() != 0);
            if (!told) {
                reading.fail(
                        chain.at() + ".filter_chain_match",
                        outbound
                                ? "no address and port (expected: prefix_ranges and destination_port)"
                                : "no port (expected: destination_port)");
            }
        }
    }

    /** Said by the resource, else by its name. */
    private Direction direction() {
        TrafficDirection said = listener.getTrafficDirection();
        if (said == TrafficDirection.INBOUND || said == TrafficDirection.OUTBOUND) {
            return said == TrafficDirection.INBOUND ? Direction.INBOUND : Direction.OUTBOUND;
        }
        String name = listener.getName().toLowerCase(Locale.ROOT);
        if (!name.startsWith("inbound") && !name.startsWith("outbound")) {
            reading.fail("traffic_direction", said + " (expected: INBOUND or OUTBOUND)");
        }
        return name.startsWith("inbound") ? Direction.INBOUND : Direction.OUTBOUND;
    }

    private Destinations destinations() {
        List<Message> filters = listener.getListenerFiltersList().stream()
                .map(filter -> KnownTypes.open(filter.getTypedConfig()))
                .toList();
        boolean kernel =
                listener.getUseOriginalDst().getValue() || filters.stream().anyMatch(OriginalDst.class::isInstance);
        boolean proxied = filters.stream().anyMatch(ProxyProtocol.class::isInstance);
        if (kernel && proxied) {
            reading.fail("listener_filters", "proxy_protocol and original_dst (expected: one of them)");
        }
        return kernel ? Destinations.KERNEL : proxied ? Destinations.PROXY_PROTOCOL : Destinations.LISTENER;
    }

    /** A listener counts its connections as a whole, so its chains must agree. */
    private Limits limits(List<Chain> chains, @Nullable Chain others) {
        Set<Limits> said = Stream.concat(chains.stream(), Stream.ofNullable(others))
                .map(Chain::limits)
                .collect(Collectors.toCollection(HashSet::new));
        if (said.size() > 1) {
            reading.fail("filter_chains", "limits that differ: " + said + " (expected: the same for all chains)");
        }
        return said.stream().findFirst().orElse(Limits.DEFAULT);
    }
}
