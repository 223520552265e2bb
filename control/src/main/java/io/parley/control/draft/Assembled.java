package io.parley.control.draft;

import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The finished messages of one proxy, by name; only patches still change them. Confined to the call that makes it. */
public final class Assembled {
    private final Map<String, Listener> listeners = new LinkedHashMap<>();
    private final Map<String, RouteConfiguration> routes = new LinkedHashMap<>();
    private final Map<String, Cluster> clusters = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();

    public Map<String, Listener> listeners() {
        return listeners;
    }

    public Map<String, RouteConfiguration> routes() {
        return routes;
    }

    public Map<String, Cluster> clusters() {
        return clusters;
    }

    /** What could not be done, for people; all else was. */
    public List<String> problems() {
        return problems;
    }

    /** Whether something of this name was made for what the proxy receives or for what it sends. */
    public static String origin(String name) {
        return name.startsWith("inbound") || name.startsWith("app:") ? "inbound" : "outbound";
    }
}
