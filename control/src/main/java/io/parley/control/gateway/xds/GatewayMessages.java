package io.parley.control.gateway.xds;

import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.route.Target;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** All that one gateway is told, clusters of targets and their endpoints aside, which are made once for several. */
public final class GatewayMessages {
    private final Map<String, Listener> listeners = new LinkedHashMap<>();
    private final Map<String, RouteConfiguration> routes = new LinkedHashMap<>();
    private final Map<String, Cluster> broken = new LinkedHashMap<>();
    private final Set<Target> targets = new LinkedHashSet<>();
    private final Set<Name> secrets = new LinkedHashSet<>();

    GatewayMessages() {}

    void add(Listener listener) {
        listeners.put(listener.getName(), listener);
    }

    void add(RouteConfiguration configuration) {
        routes.put(configuration.getName(), configuration);
    }

    void add(Cluster cluster) {
        broken.put(cluster.getName(), cluster);
    }

    public Iterable<? extends Message> listeners() {
        return listeners.values();
    }

    public Iterable<? extends Message> routes() {
        return routes.values();
    }

    /** Clusters that answer in place of a backend. */
    public Iterable<? extends Message> broken() {
        return broken.values();
    }

    public Set<Target> targets() {
        return targets;
    }

    /** Secrets whose certificates it shows. */
    public Set<Name> secrets() {
        return secrets;
    }
}
