package io.parley.xds.server;

import com.google.protobuf.Struct;
import io.envoyproxy.envoy.config.core.v3.Locality;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.parley.xds.type.ApiVersion;
import java.util.Optional;
import java.util.Set;

/**
 * Who opened a stream: what it says of itself, and what was proven of it. Only the first request of a stream counts; a client that later
 * calls itself something else stays who it was.
 *
 * @param api version of the transport that it speaks
 * @param principal what authentication proved, set by an interceptor under {@link XdsServer#PRINCIPAL}; claims are not proof
 * @param features {@code client_features}
 */
public record NodeIdentity(
        String id,
        String cluster,
        Locality locality,
        Struct metadata,
        UserAgent userAgent,
        Set<String> features,
        ApiVersion api,
        Optional<String> principal) {
    public NodeIdentity {
        features = Set.copyOf(features);
    }

    public static NodeIdentity of(Node node, ApiVersion api, Optional<String> principal) {
        return new NodeIdentity(
                node.getId(),
                node.getCluster(),
                node.getLocality(),
                node.getMetadata(),
                KnownClients.userAgent(node),
                Set.copyOf(node.getClientFeaturesList()),
                api,
                principal);
    }

    /**
     * The client program.
     *
     * @param version as the client writes it; on v2 the whole {@code build_version}
     */
    public record UserAgent(String name, String version) {}
}
