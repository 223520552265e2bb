package io.parley.proxy.config;

import io.parley.proxy.http.HttpDefaults;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * All that a proxy is told, at one moment. It is applied as a whole or not at all.
 *
 * @param version which one this is, for people: a file's digest or an xDS version
 * @param clusters by name
 * @param http what holds for requests for which no routes are configured
 */
public record ProxyConfig(
        String version,
        List<ListenerConfig> listeners,
        Map<String, ClusterConfig> clusters,
        Timeouts timeouts,
        HttpDefaults http) {
    public ProxyConfig {
        listeners = List.copyOf(listeners);
        clusters = Map.copyOf(clusters);
    }

    /** Nothing is said of HTTP. */
    public ProxyConfig(
            String version, List<ListenerConfig> listeners, Map<String, ClusterConfig> clusters, Timeouts timeouts) {
        this(version, listeners, clusters, timeouts, HttpDefaults.USUAL);
    }

    /** Whether some of it cannot be done without a certificate: to let members of the mesh in, or to dial their proxies. */
    public boolean needsIdentity() {
        return listeners.stream().anyMatch(listener -> isForMembers(listener.routing()))
                || clusters.values().stream()
                        .flatMap(cluster -> cluster.endpoints().stream())
                        .anyMatch(endpoint -> endpoint.mesh() != null);
    }

    private static boolean isForMembers(Routing routing) {
        Stream<InboundPort> ports = switch (routing) {
            case Routing.ToPort(var port, var _) -> Stream.of(port);
            case Routing.ToApplication here ->
                Stream.concat(here.ports().values().stream(), Stream.of(here.opaque(), here.others()));
            default -> Stream.empty();
        };
        return ports.anyMatch(port -> port.authorization().strangers() == Authorization.Strangers.REFUSED);
    }

    /** Nothing is listened on. */
    public static final ProxyConfig EMPTY = new ProxyConfig("", List.of(), Map.of(), Timeouts.DEFAULT);
}
