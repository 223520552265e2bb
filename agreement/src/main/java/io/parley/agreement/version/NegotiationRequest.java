package io.parley.agreement.version;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a data plane asks for, as it arrived and before anybody checked it.
 *
 * @param node absent if the data plane did not describe itself
 * @param metadata whatever else it wanted to say; shown to people, never decided on
 */
public record NegotiationRequest(
        @Nullable NodeDescription node, List<ServiceOffer> services, Map<String, String> metadata) {
    public NegotiationRequest {
        services = List.copyOf(services);
        metadata = Map.copyOf(metadata);
    }
}
