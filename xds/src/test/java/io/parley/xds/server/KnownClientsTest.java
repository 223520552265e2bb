package io.parley.xds.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.core.v3.BuildVersion;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.type.v3.SemanticVersion;
import io.parley.xds.server.session.ClientTraits;
import io.parley.xds.type.ApiVersion;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KnownClientsTest {
    @Test
    void aGrpcClientNeverMeansAllByAnEmptyListAndNeedsNoWarming() {
        ClientTraits traits = traits(Node.newBuilder().setUserAgentName("gRPC C++ linux"));
        assertThat(traits.emptyList()).isEqualTo(ClientTraits.EmptyList.NEVER_WILDCARD);
        assertThat(traits.warming()).isEqualTo(ClientTraits.Warming.NOT_NEEDED);
    }

    @Test
    void anEnvoyBefore119ListsNamesWhenItReconnectsThoughItWantsAll() {
        assertThat(traits(envoy(1, 18)).names()).isEqualTo(ClientTraits.Names.ECHO);
        assertThat(traits(envoy(1, 19)).names()).isEqualTo(ClientTraits.Names.NARROW);
        assertThat(traits(envoy(1, 36)).names()).isEqualTo(ClientTraits.Names.NARROW);
    }

    @Test
    void s21_featuresAreAskedForNotVersions() {
        ClientTraits without = traits(Node.newBuilder());
        assertThat(without.expiry()).isEqualTo(ClientTraits.Expiry.UNKNOWN);
        assertThat(without.wrapping()).isEqualTo(ClientTraits.Wrapping.UNKNOWN);
        ClientTraits with = traits(Node.newBuilder()
                .addClientFeatures("xds.config.supports-resource-ttl")
                .addClientFeatures("xds.config.resource-in-sotw"));
        assertThat(with.expiry()).isEqualTo(ClientTraits.Expiry.UNDERSTOOD);
        assertThat(with.wrapping()).isEqualTo(ClientTraits.Wrapping.UNDERSTOOD);
    }

    private static Node.Builder envoy(int major, int minor) {
        return Node.newBuilder()
                .setUserAgentName("envoy")
                .setUserAgentBuildVersion(BuildVersion.newBuilder()
                        .setVersion(SemanticVersion.newBuilder()
                                .setMajorNumber(major)
                                .setMinorNumber(minor)));
    }

    private static ClientTraits traits(Node.Builder node) {
        return KnownClients.traits(NodeIdentity.of(node.build(), ApiVersion.V3, Optional.empty()));
    }
}
