package io.parley.resource.policy.proxypatch;

import io.parley.resource.read.Fields;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Picks what is changed; all that is given must fit.
 *
 * @param origin what part of the control plane generated it, {@code inbound} or {@code outbound} for example
 * @param container the listener of a filter, or the route configuration of a virtual host
 * @param tags of the listener
 */
public record Match(
        @Nullable String origin,
        @Nullable String name,
        @Nullable String container,
        Map<String, String> tags) {
    public Match {
        tags = Map.copyOf(tags);
    }

    static Match read(Fields fields, Subject subject) {
        String origin = fields.at("origin").text();
        String name = fields.at("name").text();
        return switch (subject) {
            case CLUSTER -> new Match(origin, name, null, Map.of());
            case LISTENER -> new Match(origin, name, null, fields.at("tags").texts());
            case NETWORK_FILTER, HTTP_FILTER ->
                new Match(
                        origin,
                        name,
                        fields.at("listenerName").text(),
                        fields.at("listenerTags").texts());
            case VIRTUAL_HOST ->
                new Match(origin, name, fields.at("routeConfigurationName").text(), Map.of());
        };
    }
}
