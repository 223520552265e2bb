package io.parley.xds.server.session;

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
        subscribe = List.copyOf(subscribe);
        unsubscribe = List.copyOf(unsubscribe);
        initialVersions = Map.copyOf(initialVersions);
    }
}
