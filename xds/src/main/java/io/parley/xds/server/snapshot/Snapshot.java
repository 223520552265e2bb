package io.parley.xds.server.snapshot;

import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * All that one node is to have: a set of resources per type. Sets are shared between nodes by reference, so that a snapshot costs a few
 * words.
 *
 * @param byType by canonical type URL, see {@link ResourceType#canonical(String)}
 */
public record Snapshot(Map<String, ResourceSet> byType) {
    public static final Snapshot EMPTY = new Snapshot(Map.of());

    public Snapshot {
        byType = Map.copyOf(byType);
        for (String url : byType.keySet()) {
            if (!ResourceType.canonical(url).equals(url)) {
                throw new IllegalArgumentException(
                        "type URL: " + url + " (expected: " + ResourceType.canonical(url) + ")");
            }
        }
    }

    public Snapshot with(ResourceType type, ResourceSet resources) {
        return with(type.url(ApiVersion.V3), resources);
    }

    /** This snapshot with another set of one type, which need not be one that xDS defines. */
    public Snapshot with(String typeUrl, ResourceSet resources) {
        Map<String, ResourceSet> copy = new HashMap<>(byType);
        copy.put(typeUrl, resources);
        return new Snapshot(copy);
    }

    public ResourceSet resources(ResourceType type) {
        return resources(type.url(ApiVersion.V3));
    }

    /** The set of this canonical type URL; a type that nobody filled is empty, not unknown. */
    public ResourceSet resources(String typeUrl) {
        return byType.getOrDefault(typeUrl, ResourceSet.EMPTY);
    }

    /** What changed, by type; types without a change are absent. */
    public Map<String, Changes> changesSince(Snapshot earlier) {
        Set<String> types = new HashSet<>(byType.keySet());
        types.addAll(earlier.byType.keySet());
        Map<String, Changes> changes = new HashMap<>();
        for (String type : types) {
            Changes found = resources(type).changesSince(earlier.resources(type));
            if (!found.isEmpty()) {
                changes.put(type, found);
            }
        }
        return changes;
    }
}
