package io.parley.xds.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.parley.xds.type.ApiVersion;

/** The node as a server is told of it: what the bootstrap file says, and what only the program knows. */
final class NodeIdentity {
    /** We unwrap resources in answers with the state of the world. */
    private static final String WRAPPED_RESOURCES = "xds.config.resource-in-sotw";

    /** And forget those whose time to live is over. */
    private static final String TIME_TO_LIVE = "xds.config.supports-resource-ttl";

    static final String SEND_ALL_CLUSTERS = "envoy.lrs.supports_send_all_clusters";

    /** {@code build_version} of the v2 node; the number is reserved in v3, whose classes we use for both (gRPC A30). */
    private static final int BUILD_VERSION = 5;

    private NodeIdentity() {}

    static Node discovery(ClientSettings settings, ApiVersion version) {
        return node(settings, version)
                .addClientFeatures(WRAPPED_RESOURCES)
                .addClientFeatures(TIME_TO_LIVE)
                .build();
    }

    static Node load(ClientSettings settings, ApiVersion version) {
        return node(settings, version).addClientFeatures(SEND_ALL_CLUSTERS).build();
    }

    private static Node.Builder node(ClientSettings settings, ApiVersion version) {
        ClientSettings.Agent agent = settings.agent();
        Node.Builder node = settings.bootstrap().node().toBuilder()
                .setUserAgentName(agent.name())
                .setUserAgentVersion(agent.version())
                .addAllClientFeatures(settings.clientFeatures());
        return switch (version) {
            case V2 -> node.setUnknownFields(buildVersion(agent.name() + " " + agent.version()));
            case V3 -> node;
        };
    }

    private static UnknownFieldSet buildVersion(String text) {
        return UnknownFieldSet.newBuilder()
                .addField(
                        BUILD_VERSION,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFromUtf8(text))
                                .build())
                .build();
    }
}
