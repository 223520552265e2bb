package io.parley.proxy.config;

import java.util.List;
import java.util.Map;

/**
 * All that a proxy is told, at one moment. It is applied as a whole or not at all.
 *
 * @param version which one this is, for people: a file's digest or an xDS version
 * @param clusters by name
 */
public record ProxyConfig(
        String version, List<ListenerConfig> listeners, Map<String, ClusterConfig> clusters, Timeouts timeouts) {
    public ProxyConfig {
        listeners = List.copyOf(listeners);
        clusters = Map.copyOf(clusters);
    }

    /** Nothing is listened on. */
    public static final ProxyConfig EMPTY = new ProxyConfig("", List.of(), Map.of(), Timeouts.DEFAULT);
}
