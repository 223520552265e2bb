package io.parley.proxy.config.xds;

import com.google.protobuf.Message;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.FilterChainMatch;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.listener.v3.ListenerFilter;
import io.envoyproxy.envoy.extensions.filters.network.connection_limit.v3.ConnectionLimit;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.ForwardClientCertDetails;
import io.envoyproxy.envoy.extensions.filters.network.local_ratelimit.v3.LocalRateLimit;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy;
import io.envoyproxy.envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import io.parley.proxy.config.ClusterShare;
import io.parley.proxy.config.ListenerConfig.Limits;
import io.parley.proxy.config.Raw;
import io.parley.proxy.config.xds.ReadGateway.Branch;
import io.parley.proxy.config.xds.ReadGateway.Datagrams;
import io.parley.proxy.config.xds.ReadGateway.Goal;
import io.parley.wire.name.DnsName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a gateway's listener. Its clients are strangers: there are no connection headers, and nobody is asked for a mesh certificate. */
final class GatewayReader {
    private static final Duration SILENCE = Duration.ofSeconds(60);
    private static final String SHARES = "weighted_clusters";

    private final Listener listener;
    private final Extras extras;
    private final Reading reading;
    private final GuardReader guards;
    private final TlsReader tls;

    GatewayReader(Listener listener, Extras extras, Reading reading) {
        this.listener = listener;
        this.extras = extras;
        this.reading = reading;
        this.guards = new GuardReader(reading);
        this.tls = new TlsReader(reading);
    }

    ReadGateway read() {
        if (listener.getAddress().getSocketAddress().getProtocol() == SocketAddress.Protocol.UDP) {
            return new ReadGateway(List.of(), datagrams());
        }
        List<Branch> chains = new ArrayList<>();
        for (int i = 0; i < listener.getFilterChainsCount(); i++) {
            chains.add(branch(listener.getFilterChains(i), "filter_chains[" + i + "]"));
        }
        if (listener.hasDefaultFilterChain()) {
            chains.add(branch(listener.getDefaultFilterChain(), "default_filter_chain"));
        }
        requireOnce(chains);
        return new ReadGateway(chains, null);
    }

    /** How many connections, and how often: a listener counts them as a whole, whichever of its chains says so. */
    Limits limits() {
        return guards.limits();
    }

    private void requireOnce(List<Branch> chains) {
        if (chains.isEmpty()) {
            reading.fail("filter_chains", "none (expected: at least one, or a default_filter_chain)");
        }
        List<String> names = chains.stream().flatMap(GatewayReader::asked).toList();
        names.stream()
                .filter(name -> names.indexOf(name) != names.lastIndexOf(name))
                .distinct()
                .forEach(name -> reading.fail("filter_chains", name + " twice (expected: each server name once)"));
    }

    /** Each thing that clients of a chain may ask for: a name, and with it perhaps a protocol. */
    private static Stream<String> asked(Branch chain) {
        Set<String> names = chain.serverNames().isEmpty() ? Set.of("*") : chain.serverNames();
        return chain.protocols().isEmpty()
                ? names.stream()
                : names.stream().flatMap(name -> chain.protocols().stream().map(protocol -> name + " by " + protocol));
    }

    private Branch branch(FilterChain chain, String at) {
        Set<String> names = serverNames(chain, at + ".filter_chain_match.server_names");
        requireAnyAddress(chain.getFilterChainMatch(), at + ".filter_chain_match");
        Goal goal = null;
        for (int i = 0; i < chain.getFiltersCount(); i++) {
            String there = at + ".filters[" + i + "].typed_config";
            if (goal != null) {
                reading.fail(there, "a filter after the last one (expected: before it)");
            }
            goal = goal(KnownTypes.open(chain.getFilters(i).getTypedConfig()), there);
        }
        if (goal == null) {
            reading.fail(at + ".filters", "no tcp_proxy and no http_connection_manager (expected: one, as the last)");
        }
        return new Branch(
                at,
                chain.getName().isEmpty() ? String.join(",", names) : chain.getName(),
                names,
                protocols(chain, names, at + ".filter_chain_match.application_protocols"),
                tls(chain, at + ".transport_socket.typed_config"),
                goal == null ? new Goal.Bytes(List.of(), Raw.NONE) : goal);
    }

    private void requireAnyAddress(FilterChainMatch match, String at) {
        if (match.getPrefixRangesCount() > 0) {
            reading.fail(at + ".prefix_ranges", "set (expected: none on a gateway)");
        }
        if (match.hasDestinationPort()) {
            reading.fail(at + ".destination_port", "set (expected: none on a gateway)");
        }
    }

    private Set<String> serverNames(FilterChain chain, String at) {
        for (String name : chain.getFilterChainMatch().getServerNamesList()) {
            if (!DnsName.isValid(name.startsWith("*.") ? name.substring(2) : name)) {
                reading.fail(at, name + " (expected: the name of a host, or *. and a domain)");
            }
        }
        return chain.getFilterChainMatch().getServerNamesList().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }

    private Set<String> protocols(FilterChain chain, Set<String> names, String at) {
        Set<String> protocols = Set.copyOf(chain.getFilterChainMatch().getApplicationProtocolsList());
        if (!protocols.isEmpty() && (names.isEmpty() || names.stream().anyMatch(name -> name.startsWith("*")))) {
            reading.fail(at, protocols + " (expected: only beside server_names without a wildcard)");
        }
        return protocols;
    }

    private @Nullable Goal goal(Message filter, String at) {
        switch (filter) {
            case ConnectionLimit limit -> guards.read(limit, at);
            case LocalRateLimit rate -> guards.read(rate, at);
            case TcpProxy tcp -> {
                return new Goal.Bytes(shares(tcp, at), ChainReader.raw(tcp, at, reading));
            }
            case HttpConnectionManager http -> {
                if (http.getForwardClientCertDetails() == ForwardClientCertDetails.SANITIZE_SET) {
                    reading.fail(
                            at + ".forward_client_cert_details",
                            "SANITIZE_SET (expected: SANITIZE, as clients of a gateway are no members of the mesh)");
                }
                return new Goal.Requests(HttpReader.goal(http, at, reading));
            }
            default ->
                reading.fail(at, filter.getDescriptorForType().getFullName() + " (expected: a filter of a gateway)");
        }
        return null;
    }

    private List<ClusterShare> shares(TcpProxy tcp, String at) {
        if (tcp.hasWeightedClusters()) {
            return tcp.getWeightedClusters().getClustersList().stream()
                    .map(share -> new ClusterShare(share.getName(), share.getWeight()))
                    .toList();
        }
        if (tcp.getCluster().isEmpty()) {
            reading.fail(at + ".cluster", "empty (expected: the name of a cluster)");
        }
        return List.of(new ClusterShare(tcp.getCluster(), 1));
    }

    private ReadGateway.@Nullable Tls tls(FilterChain chain, String at) {
        if (!chain.hasTransportSocket()) {
            return null;
        }
        if (KnownTypes.open(chain.getTransportSocket().getTypedConfig()) instanceof DownstreamTlsContext context) {
            return tls.server(context, at);
        }
        reading.fail(at, "expected: a DownstreamTlsContext");
        return null;
    }

    private Datagrams datagrams() {
        for (int i = 0; i < listener.getListenerFiltersCount(); i++) {
            ListenerFilter filter = listener.getListenerFilters(i);
            if (KnownTypes.open(filter.getTypedConfig()) instanceof UdpProxyConfig udp) {
                Duration idle = udp.hasIdleTimeout()
                        ? Duration.ofSeconds(
                                udp.getIdleTimeout().getSeconds(),
                                udp.getIdleTimeout().getNanos())
                        : SILENCE;
                return new Datagrams(shares(udp, "listener_filters[" + i + "].typed_config"), idle);
            }
        }
        reading.fail("listener_filters", "no udp_proxy (expected: one, as the address is of UDP)");
        return new Datagrams(List.of(), SILENCE);
    }

    /** Envoy has no weights for datagrams. */
    @SuppressWarnings("deprecation") // Envoy prefers a tree of matchers, which says no more than this.
    private List<ClusterShare> shares(UdpProxyConfig udp, String at) {
        Value weighted = extras.fields().getFieldsMap().get(SHARES);
        if (weighted == null) {
            if (udp.getCluster().isEmpty()) {
                reading.fail(at + ".cluster", "empty (expected: the name of a cluster)");
            }
            return List.of(new ClusterShare(udp.getCluster(), 1));
        }
        return weighted.getListValue().getValuesList().stream()
                .map(value -> value.getStructValue().getFieldsMap())
                .map(fields -> new ClusterShare(
                        fields.getOrDefault("name", Value.getDefaultInstance()).getStringValue(),
                        (int) fields.getOrDefault("weight", Value.getDefaultInstance())
                                .getNumberValue()))
                .toList();
    }
}
