package io.parley.resource.policy;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Points at proxies, destinations or callers.
 *
 * @param labels picks by label instead of by name; empty if it does not
 * @param tags what the proxies, or the listeners of a gateway, must carry
 * @param proxyTypes empty for all
 * @param sectionName one port or inbound of it
 */
public record TargetRef(
        TargetKind kind,
        @Nullable String name,
        @Nullable String namespace,
        @Nullable String sectionName,
        Map<String, String> labels,
        Map<String, String> tags,
        Set<ProxyType> proxyTypes) {
    public static final TargetRef MESH = new TargetRef(TargetKind.MESH, null, null, null, Map.of(), Map.of(), Set.of());

    public TargetRef {
        labels = Map.copyOf(labels);
        tags = Map.copyOf(tags);
        proxyTypes = Set.copyOf(proxyTypes);
    }

    /** Whether gateways may be among the proxies that it picks. Some policies then act on other sections. */
    public boolean mayIncludeGateways() {
        return switch (kind) {
            case MESH, MESH_SUBSET -> proxyTypes.isEmpty() || proxyTypes.contains(ProxyType.GATEWAY);
            case MESH_GATEWAY, MESH_HTTP_ROUTE -> true;
            case DATAPLANE, MESH_SERVICE, MESH_EXTERNAL_SERVICE, MESH_MULTI_ZONE_SERVICE, MESH_SERVICE_SUBSET -> false;
        };
    }
}
