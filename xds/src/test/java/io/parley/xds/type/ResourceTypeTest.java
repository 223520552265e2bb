package io.parley.xds.type;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.envoyproxy.envoy.service.runtime.v3.Runtime;
import org.junit.jupiter.api.Test;

class ResourceTypeTest {
    @Test
    void urlsAreThoseOfTheGeneratedMessages() {
        assertThat(ResourceType.LISTENER.url(ApiVersion.V3)).isEqualTo(url(Listener.getDefaultInstance()));
        assertThat(ResourceType.ROUTE.url(ApiVersion.V3)).isEqualTo(url(RouteConfiguration.getDefaultInstance()));
        assertThat(ResourceType.CLUSTER.url(ApiVersion.V3)).isEqualTo(url(Cluster.getDefaultInstance()));
        assertThat(ResourceType.ENDPOINT.url(ApiVersion.V3)).isEqualTo(url(ClusterLoadAssignment.getDefaultInstance()));
        assertThat(ResourceType.SECRET.url(ApiVersion.V3)).isEqualTo(url(Secret.getDefaultInstance()));
        assertThat(ResourceType.RUNTIME.url(ApiVersion.V3)).isEqualTo(url(Runtime.getDefaultInstance()));
    }

    @Test
    void findsATypeByTheUrlOfEitherVersion() {
        for (ResourceType type : ResourceType.values()) {
            assertThat(ResourceType.find(type.url(ApiVersion.V2))).contains(type);
            assertThat(ResourceType.find(type.url(ApiVersion.V3))).contains(type);
        }
        assertThat(ResourceType.find("type.googleapis.com/envoy.api.v2.Nothing"))
                .isEmpty();
        assertThat(ResourceType.find("")).isEmpty();
    }

    private static String url(com.google.protobuf.Message message) {
        return Any.pack(message).getTypeUrl();
    }
}
