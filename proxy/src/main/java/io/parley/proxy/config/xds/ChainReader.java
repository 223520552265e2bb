package io.parley.proxy.config.xds;

import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.core.v3.CidrRange;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.FilterChainMatch;
import io.envoyproxy.envoy.extensions.filters.network.connection_limit.v3.ConnectionLimit;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.ForwardClientCertDetails;
import io.envoyproxy.envoy.extensions.filters.network.local_ratelimit.v3.LocalRateLimit;
import io.envoyproxy.envoy.extensions.filters.network.rbac.v3.RBAC;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.proxy.Direction;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Raw;
import io.parley.proxy.config.xds.Chain.Bytes;
import io.parley.proxy.config.xds.Chain.Goal;
import io.parley.proxy.config.xds.Chain.Match;
import io.parley.proxy.config.xds.http.LogReading;
import io.parley.wire.name.DnsName;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a filter chain. */
final class ChainReader {
    private final FilterChain chain;
    private final String path;
    private final Reading reading;
    private final Extras extras;
    private final GuardReader guards;
    private @Nullable Goal goal;
    private @Nullable Bytes bytes;
    private Protocol undeclared = Protocol.OPAQUE;

    private ChainReader(FilterChain chain, String path, Reading reading) {
        this.chain = chain;
        this.path = path;
        this.reading = reading;
        this.extras = Extras.of(chain.getMetadata(), path);
        this.guards = new GuardReader(reading);
    }

    static Chain read(FilterChain chain, String path, Direction direction, Reading reading) {
        return new ChainReader(chain, path, reading).read(direction);
    }

    private Chain read(Direction direction) {
        for (int i = 0; i < chain.getFiltersCount(); i++) {
            String at = path + ".filters[" + i + "]";
            Message filter = KnownTypes.open(chain.getFilters(i).getTypedConfig());
            boolean otherwise = filter instanceof TcpProxy && bytes == null;
            if (goal != null && !otherwise) {
                reading.fail(at, chain.getFilters(i).getName() + " after the last filter (expected: before it)");
            }
            read(filter, at);
        }
        if (goal == null) {
            reading.fail(path + ".filters", "no tcp_proxy and no http_connection_manager (expected: one, as the last)");
        }
        Match match = match(chain.getFilterChainMatch(), path + ".filter_chain_match");
        requireKept(match, direction);
        String service = extras.textOr("service", service(match), reading);
        GuardReader.Clients clients = direction == Direction.OUTBOUND ? GuardReader.Clients.CLEAR : clients();
        return new Chain(
                path,
                match,
                service,
                declared(),
                guards.authorization(clients),
                clients != GuardReader.Clients.CLEAR,
                guards.limits(),
                goal == null ? new Goal.ToCluster("") : goal,
                bytes);
    }

    /** What would not be done must not look as if it were. */
    private void requireKept(Match match, Direction direction) {
        boolean outbound = direction == Direction.OUTBOUND;
        String at = path + ".filter_chain_match";
        if (outbound && !match.names().isEmpty()) {
            reading.fail(at + ".server_names", match.names() + " (expected: none outbound)");
        }
        if (!outbound && !match.addresses().isEmpty()) {
            reading.fail(at + ".prefix_ranges", match.addresses() + " (expected: none inbound)");
        }
        if (outbound && chain.hasTransportSocket()) {
            reading.fail(path + ".transport_socket", "set (expected: none, as the application is in clear)");
        }
        if (guards.tellsWhoMay() && (outbound || !match.names().isEmpty())) {
            reading.fail(
                    path + ".filters",
                    outbound
                            ? "rbac (expected: none outbound, where the application is the only client)"
                            : "rbac beside server_names (expected: in default_filter_chain, whose rules hold for"
                                    + " them)");
        }
    }

    private void read(Message filter, String at) {
        switch (filter) {
            case RBAC rbac -> guards.read(rbac, at + ".typed_config");
            case ConnectionLimit limit -> guards.read(limit, at + ".typed_config");
            case LocalRateLimit rate -> guards.read(rate, at + ".typed_config");
            case TcpProxy tcp -> {
                bytes = new Bytes(cluster(tcp, at + ".typed_config"), raw(tcp, at + ".typed_config", reading));
                goal = goal == null ? new Goal.ToCluster(bytes.cluster()) : goal;
            }
            case HttpConnectionManager http -> {
                requireEdge(http, at + ".typed_config");
                goal = HttpReader.goal(http, at + ".typed_config", reading);
                undeclared = Protocol.DETECT;
            }
            default -> reading.fail(at, filter.getDescriptorForType().getFullName() + " (expected: a network filter)");
        }
    }

    /** Only who faces strangers has anybody's word to doubt: to all others the mesh's own proxies say where requests come from. Nor has an edge members to name. */
    private void requireEdge(HttpConnectionManager http, String at) {
        if (http.getUseRemoteAddress().getValue()
                && http.getForwardClientCertDetails() == ForwardClientCertDetails.SANITIZE_SET) {
            reading.fail(
                    at + ".forward_client_cert_details", "SANITIZE_SET (expected: SANITIZE beside use_remote_address)");
        }
        if (http.getXffNumTrustedHops() != 0 && !http.getUseRemoteAddress().getValue()) {
            reading.fail(
                    at + ".xff_num_trusted_hops",
                    "set (expected: only with use_remote_address: true, or on a gateway)");
        }
    }

    /** An idle time of 0 switches it off in Envoy; here a connection then ends with the proxy's own time. */
    static Raw raw(TcpProxy tcp, String at, Reading reading) {
        Duration idle = Duration.ofSeconds(
                tcp.getIdleTimeout().getSeconds(), tcp.getIdleTimeout().getNanos());
        return new Raw(
                idle.isPositive() ? idle : null,
                LogReading.logs(tcp.getAccessLogList(), HttpReader.problems(at, reading)));
    }

    private String cluster(TcpProxy tcp, String at) {
        if (!tcp.hasWeightedClusters()) {
            if (tcp.getCluster().isEmpty()) {
                reading.fail(at + ".cluster", "empty (expected: the name of a cluster)");
            }
            return tcp.getCluster();
        }
        List<String> used = tcp.getWeightedClusters().getClustersList().stream()
                .filter(weighted -> weighted.getWeight() > 0)
                .map(TcpProxy.WeightedCluster.ClusterWeight::getName)
                .toList();
        if (used.size() != 1) {
            reading.fail(at + ".weighted_clusters", used + " (expected: one cluster with a weight above 0)");
        }
        return used.isEmpty() ? "" : used.getFirst();
    }

    /** What the chain's TLS settings say about clients without a certificate. */
    private GuardReader.Clients clients() {
        if (!chain.hasTransportSocket()) {
            return GuardReader.Clients.CLEAR;
        }
        if (!(KnownTypes.open(chain.getTransportSocket().getTypedConfig()) instanceof DownstreamTlsContext tls)) {
            reading.fail(path + ".transport_socket", "expected: a DownstreamTlsContext");
            return GuardReader.Clients.MEMBERS;
        }
        TlsReader.requireAnyClient(
                tls.getCommonTlsContext(), path + ".transport_socket.typed_config.common_tls_context", reading);
        boolean demanded = tls.getRequireClientCertificate().getValue();
        String mode = extras.textOr("tls", demanded ? "strict" : "asked", reading);
        return switch (mode) {
            case "strict" -> GuardReader.Clients.MEMBERS;
            case "permissive" -> GuardReader.Clients.PERMISSIVE;
            case "asked" -> GuardReader.Clients.ASKED;
            default -> {
                reading.fail(extras.path() + ".tls", mode + " (expected: strict, permissive or asked)");
                yield GuardReader.Clients.MEMBERS;
            }
        };
    }

    private Match match(FilterChainMatch match, String at) {
        Set<InetAddress> addresses = new HashSet<>();
        for (int i = 0; i < match.getPrefixRangesCount(); i++) {
            CidrRange range = match.getPrefixRanges(i);
            String there = at + ".prefix_ranges[" + i + "]";
            InetAddress address = SocketAddresses.host(range.getAddressPrefix(), there + ".address_prefix", reading);
            int bits = address.getAddress().length * 8;
            if (!range.hasPrefixLen() || range.getPrefixLen().getValue() != bits) {
                reading.fail(
                        there + ".prefix_len",
                        range.getPrefixLen().getValue() + " (expected: " + bits + ", one address)");
            }
            addresses.add(address);
        }
        match.getServerNamesList().stream()
                .filter(name -> !DnsName.isValid(name))
                .forEach(name -> reading.fail(at + ".server_names", name + " (expected: the name of a service)"));
        if (match.getApplicationProtocolsCount() > 0) {
            reading.fail(at + ".application_protocols", "set (expected: only on a gateway)");
        }
        return new Match(addresses, match.getDestinationPort().getValue(), match.getServerNamesList());
    }

    private String service(Match match) {
        return Stream.of(chain.getName(), String.join(",", match.names()), "port " + match.port())
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElseThrow();
    }

    private Decision<Protocol> declared() {
        String text = extras.text("protocol", reading);
        Optional<Protocol> protocol = text == null
                ? Optional.of(undeclared)
                : Stream.of(Protocol.values())
                        .filter(known -> known.toString().equals(text))
                        .findFirst();
        if (protocol.isEmpty()) {
            reading.fail(extras.path() + ".protocol", text + " (expected: one of " + List.of(Protocol.values()) + ")");
        }
        String source = extras.textOr("source", "", reading);
        int hash = source.indexOf('#');
        String rule = extras.textOr("rule", text == null ? "filter-chain" : "declared", reading);
        return new Decision<>(
                protocol.orElse(Protocol.DETECT),
                extras.textOr(
                        "because",
                        text == null ? "its filter chain says nothing else" : "it is declared " + text,
                        reading),
                new Source(
                        hash < 0 ? source : source.substring(0, hash),
                        hash < 0 ? "" : source.substring(hash + 1),
                        rule.isBlank() ? "declared" : rule));
    }
}
