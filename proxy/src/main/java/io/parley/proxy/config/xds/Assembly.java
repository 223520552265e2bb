package io.parley.proxy.config.xds;

import io.parley.proxy.Direction;
import io.parley.proxy.config.Balancing;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.config.xds.Chain.Goal;
import io.parley.proxy.config.xds.ReadCluster.Members;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.Forwarding;
import io.parley.proxy.http.RouteTable;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes one configuration out of resources that came one by one. A listener is put in force when all that it refers to is there; until
 * then its previous version goes on as it was.
 */
final class Assembly {
    private static final int UNAVAILABLE = 503;

    /** What no route takes with all its paths, and is no request, has nowhere to go. */
    private static final ClusterConfig NOWHERE = new ClusterConfig(
            "(none)",
            List.of(),
            ClusterConfig.Breaker.DEFAULT,
            HttpUpstream.DEFAULT,
            new Balancing.LeastLoaded(),
            null,
            new ClusterConfig.Unusable(UNAVAILABLE, "no route for all paths leads to a cluster"));

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
        ClusterAssembly assembly = new ClusterAssembly(book);
        book.clusters()
                .values()
                .forEach(
                        cluster -> assembly.cluster(cluster).ifPresent(config -> clusters.put(cluster.name(), config)));
        List<ListenerConfig> listeners = new ArrayList<>();
        book.listeners().values().forEach(listener -> listener(listener).ifPresent(listeners::add));
        listeners.forEach(listener -> keepClusters(listener.routing()));
        return new Assembled(new ProxyConfig(version, listeners, clusters, Timeouts.DEFAULT), waiting);
    }

    private Optional<ListenerConfig> listener(ReadListener listener) {
        try {
            Routing routing = routing(listener);
            return Optional.of(new ListenerConfig(
                    listener.name(),
                    listener.direction(),
                    address(listener),
                    listener.destinations(),
                    routing,
                    listener.limits()));
        } catch (NotYet e) {
            waiting.put(listener.name(), String.valueOf(e.getMessage()));
            return previous.listeners().stream()
                    .filter(one -> one.name().equals(listener.name()))
                    .findFirst();
        }
    }

    private Routing routing(ReadListener listener) {
        ReadGateway gateway = listener.gateway();
        if (gateway == null) {
            return new Router(this, listener, local).routing();
        }
        Routing routing = new GatewayAssembly(this, listener.name(), new Secrets(book.secrets())).routing(gateway);
        routing.clusterNames()
                .filter(name -> book.clusters().containsKey(name) && !clusters.containsKey(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new NotYet("endpoints or secrets of cluster " + name + " are not there");
                });
        return routing;
    }

    private InetSocketAddress address(ReadListener listener) {
        if (listener.gateway() != null) {
            return local.gateway().move(listener.address());
        }
        InetSocketAddress elsewhere = switch (listener.name()) {
            case "inbound" -> local.inbound();
            case "outbound" -> local.outbound();
            default -> null;
        };
        return elsewhere == null ? listener.address() : elsewhere;
    }

    /** A cluster that is taken away stays as long as something in force refers to it. */
    private void keepClusters(Routing routing) {
        routing.clusterNames().forEach(name -> {
            ClusterConfig known = previous.clusters().get(name);
            if (known != null) {
                clusters.putIfAbsent(name, known);
            }
        });
    }

    /** The name of the cluster that a chain's connections go to; empty if it has one for requests only. */
    private String clusterName(Chain chain) {
        ReadRoutes routes = chain.goal() instanceof Goal.ByRoutes(var named, var _) ? routes(named, chain.at()) : null;
        return chain.bytes() != null
                ? chain.bytes().cluster()
                : switch (chain.goal()) {
                    case Goal.ToCluster(var cluster) -> cluster;
                    case Goal.ByRoutes _ -> Objects.requireNonNull(routes).cluster();
                    case Goal.Inline(var inline, var _) -> inline.cluster();
                };
    }

    /** Where connections of a chain go from here: a cluster's name, empty for where the client dialled. */
    String target(Chain chain) {
        if (!(chain.goal() instanceof Goal.ToCluster) && clusterName(chain).isEmpty()) {
            clusters.putIfAbsent(NOWHERE.name(), NOWHERE);
            return NOWHERE.name();
        }
        ReadCluster cluster = cluster(chain);
        return cluster.members() instanceof Members.AsDialled ? "" : cluster.name();
    }

    /** The cluster that a chain's connections go to. */
    ReadCluster cluster(Chain chain) {
        String name = clusterName(chain);
        if (name.isEmpty()) {
            throw new NotYet("no route for all paths (prefix: /) leads to a cluster (" + chain.at() + ")");
        }
        ReadCluster cluster = book.clusters().get(name);
        if (cluster == null) {
            throw new NotYet("cluster " + name + " is not there (" + chain.at() + ")");
        }
        if (!(cluster.members() instanceof Members.AsDialled) && !clusters.containsKey(name)) {
            throw new NotYet("endpoints of cluster " + name + " are not there (" + chain.at() + ")");
        }
        return cluster;
    }

    ReadRoutes routes(String name, String at) {
        ReadRoutes known = book.routes().get(name);
        if (known == null) {
            throw new NotYet("routes " + name + " are not there (" + at + ")");
        }
        return known;
    }

    /** What holds for HTTP on a chain's connections, which find it again by its name when it changes; null if it has no connection manager. */
    @Nullable
    HttpConfig http(Chain chain, ReadListener listener) {
        Forwarding clients = listener.direction() == Direction.OUTBOUND ? Forwarding.KEPT : Forwarding.FROM_MEMBERS;
        String name = listener.name() + " "
                + (chain.equals(listener.others()) ? "others" : chain.match().text());
        return switch (chain.goal()) {
            case Goal.ToCluster _ -> null;
            case Goal.ByRoutes(var routes, var http) -> http.with(name, table(routes(routes, chain.at())), clients);
            case Goal.Inline(var routes, var http) -> http.with(name, table(routes), clients);
        };
    }

    /** To a cluster of type ORIGINAL_DST means where the connection goes, whose requests they are. */
    private RouteTable table(ReadRoutes routes) {
        return RoutesAsDialled.toConnection(routes.table(), name -> {
            ReadCluster cluster = book.clusters().get(name);
            return cluster != null && cluster.members() instanceof Members.AsDialled;
        });
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
}
