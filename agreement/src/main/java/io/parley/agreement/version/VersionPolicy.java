package io.parley.agreement.version;

import java.util.Map;

/**
 * Says for some nodes which version of a service to prefer, to warn about or to withhold. It can only choose among what the
 * control plane serves.
 *
 * @param priority of several policies that say something about the same thing, the highest counts
 * @param services service name to what is said about it
 */
public record VersionPolicy(String name, int priority, NodeSelector selector, Map<String, ServiceRule> services) {
    public VersionPolicy {
        services = Map.copyOf(services);
    }

    /** How people name it. */
    String resource() {
        return "VersionPolicy/" + name;
    }
}
