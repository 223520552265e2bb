package io.parley.xds.server.session;

import io.parley.xds.type.FederatedName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A {@code DeltaDiscoveryRequest} without its node.
 *
 * @param initialVersions what the client has from an earlier stream, by name; heeded in the first request of a type
 * @param error set on a NACK
 */
public record DeltaRequest(
        String typeUrl,
        List<String> subscribe,
        List<String> unsubscribe,
        Map<String, String> initialVersions,
        String nonce,
        @Nullable ErrorDetail error) {
    public DeltaRequest {
        subscribe = canonical(subscribe);
        unsubscribe = canonical(unsubscribe);
        initialVersions = canonical(initialVersions);
    }

    private static List<String> canonical(List<String> names) {
        if (names.isEmpty()) {
            return List.of();
        }
        return names.stream().map(FederatedName::canonical).toList();
    }

    private static Map<String, String> canonical(Map<String, String> versions) {
        if (versions.isEmpty() || versions.keySet().stream().noneMatch(FederatedName::is)) {
            return Map.copyOf(versions);
        }
        Map<String, String> spelled = new HashMap<>();
        versions.forEach((name, version) -> spelled.put(FederatedName.canonical(name), version));
        return Map.copyOf(spelled);
    }
}
