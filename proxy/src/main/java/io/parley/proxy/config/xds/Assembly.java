package io.parley.proxy.config.xds;

import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.Direction;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.config.xds.Chain.Goal;
import io.parley.proxy.config.xds.ReadCluster.Members;
import io.parley.proxy.config.xds.ReadCluster.Peer;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.Forwarding;
import io.parley.proxy.tls.PeerIdentity;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes one configuration out of resources that came one by one. A listener is put in force when all that it refers to is there; until
 * then its previous version goes on as it was.
 */
final class Assembly {
    private final Book book;
    private final ProxyConfig previous;
    private final Local local;
    private final Map<String, ClusterConfig> clusters = new HashMap<>();
    private final SortedMap<String, String> waiting = new TreeMap<>();

    /**
     * A configuration.
     *
     * @param waiting listeners that are not in force as their resources say, and what they wait for
     */
    record Assembled(ProxyConfig config, SortedMap<String, String> waiting) {}

    private Assembly(Book book, ProxyConfig previous, Local local) {
        this.book = book;
        this.previous = previous;
        this.local = local;
    }

    /** The configuration that follows {@code previous} when these are the resources. */
    static Assembled assemble(Book book, ProxyConfig previous, Local local, String version) {
        return new Assembly(book, previous, local).assemble(version);
    }

    private Assembled assemble(String version) {
        book.clusters()
                .values()
                .forEach(cluster -> endpoints(cluster)
                        .ifPresent(endpoints -> clusters.put(
                                cluster.name(), new ClusterConfig(cluster.name(), endpoints, cluster.breaker()))));
        List<ListenerConfig> listeners = new ArrayList<>();
        book.listeners().values().forEach(listener -> listener(listener).ifPresent(listeners::add));
        return new Assembled(new ProxyConfig(version, listeners, clusters, Timeouts.DEFAULT), waiting);
    }

    private Optional<ListenerConfig> listener(ReadListener listener) {
        try {
            Routing routing = new Router(this, listener, local).routing();
            return Optional.of(new ListenerConfig(
                    listener.name(),
                    listener.direction(),
                    address(listener),
                    listener.destinations(),
                    routing,
                    listener.limits()));
        } catch (NotYet e) {
            waiting.put(listener.name(), String.valueOf(e.getMessage()));
            Optional<ListenerConfig> known = previous.listeners().stream()
                    .filter(one -> one.name().equals(listener.name()))
                    .findFirst();
            known.ifPresent(one -> keepClusters(one.routing()));
            return known;
        }
    }

    private InetSocketAddress address(ReadListener listener) {
        InetSocketAddress elsewhere = switch (listener.name()) {
            case "inbound" -> local.inbound();
            case "outbound" -> local.outbound();
            default -> null;
        };
        return elsewhere == null ? listener.address() : elsewhere;
    }

    private void keepClusters(Routing routing) {
        for (String name : targets(routing)) {
            ClusterConfig known = previous.clusters().get(name);
            if (known != null) {
                clusters.putIfAbsent(name, known);
            }
        }
    }

    private static List<String> targets(Routing routing) {
        return switch (routing) {
            case Routing.Fixed(var target) -> List.of(target.cluster());
            case Routing.ByDestination(var targets, var _) ->
                targets.values().stream().map(target -> target.cluster()).toList();
            case Routing.ToApplication here ->
                here.gateway().values().stream().map(target -> target.cluster()).toList();
            case Routing.ToPort _ -> List.of();
        };
    }

    /** Something that a listener refers to is not there. */
    static final class NotYet extends RuntimeException {
        NotYet(String message) {
            super(message, null, false, false);
        }
    }

    /** The cluster that a chain's connections go to. */
    ReadCluster cluster(Chain chain) {
        String name = switch (chain.goal()) {
            case Goal.ToCluster(var cluster) -> cluster;
            case Goal.ByRoutes(var routes, var _) -> routes(routes, chain).cluster();
            case Goal.Inline(var routes, var _) -> routes.cluster();
        };
        ReadCluster cluster = book.clusters().get(name);
        if (cluster == null) {
            throw new NotYet("cluster " + name + " is not there (" + chain.at() + ")");
        }
        if (!(cluster.members() instanceof Members.AsDialled) && !clusters.containsKey(name)) {
            throw new NotYet("endpoints of cluster " + name + " are not there (" + chain.at() + ")");
        }
        return cluster;
    }

    private ReadRoutes routes(String name, Chain chain) {
        ReadRoutes known = book.routes().get(name);
        if (known == null) {
            throw new NotYet("routes " + name + " are not there (" + chain.at() + ")");
        }
        return known;
    }

    /** What holds for HTTP on a chain's connections; null if it has no connection manager. */
    @Nullable
    HttpConfig http(Chain chain, ReadListener listener) {
        Forwarding clients = listener.direction() == Direction.OUTBOUND ? Forwarding.KEPT : Forwarding.FROM_MEMBERS;
        String name = listener.name() + " " + chain.at();
        return switch (chain.goal()) {
            case Goal.ToCluster _ -> null;
            case Goal.ByRoutes(var routes, var http) ->
                http.with(name, routes(routes, chain).table(), clients);
            case Goal.Inline(var routes, var http) -> http.with(name, routes.table(), clients);
        };
    }

    /** The one place where the application behind a chain is. */
    InetSocketAddress application(Chain chain, ReadCluster cluster) {
        Collection<Endpoint> endpoints = Optional.ofNullable(clusters.get(cluster.name()))
                .map(ClusterConfig::endpoints)
                .orElse(List.of());
        if (endpoints.size() != 1) {
            throw new NotYet("cluster " + cluster.name() + " has " + endpoints.size()
                    + " endpoints (expected: one, the application; " + chain.at() + ")");
        }
        return endpoints.iterator().next().address();
    }

    /** Empty if they are not there yet, or if the cluster has none of its own. */
    private Optional<List<Endpoint>> endpoints(ReadCluster cluster) {
        return switch (cluster.members()) {
            case Members.AsDialled() -> Optional.empty();
            case Members.Listed(var listed) -> Optional.of(endpoints(listed, cluster));
            case Members.Discovered(var service) ->
                Optional.ofNullable(book.endpoints().get(service)).map(found -> endpoints(found, cluster));
        };
    }

    private static List<Endpoint> endpoints(List<ReadEndpoint> read, ReadCluster cluster) {
        return read.stream().flatMap(one -> endpoint(one, cluster).stream()).toList();
    }

    /** An endpoint that must be spoken to by TLS, and of which nobody says who it is, cannot be used. */
    private static Optional<Endpoint> endpoint(ReadEndpoint read, ReadCluster cluster) {
        Peer peer = cluster.peer();
        var identity = read.identity() != null || peer == null ? read.identity() : peer.identity();
        if (peer == null && (identity == null || read.inboundPort() == 0)) {
            return Optional.of(Endpoint.plain(read.address()));
        }
        if (identity == null) {
            return Optional.empty();
        }
        String asked = !read.serverName().isEmpty() || peer == null ? read.serverName() : peer.serverName();
        boolean header = read.inboundPort() != 0;
        return Optional.of(new Endpoint(
                read.address(),
                new Endpoint.Mesh(
                        header
                                ? new InetSocketAddress(read.address().getAddress(), read.inboundPort())
                                : read.address(),
                        identity,
                        asked.isEmpty() ? PeerIdentity.serverName(identity) : asked,
                        header ? read.magic() : null,
                        read.name(),
                        read.hint())));
    }
}
