package io.parley.xds.server.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.StringValue;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.parley.xds.type.ApiVersion;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class EncodedResourceTest {
    private final EncodedResource cluster = Samples.cluster("orders");

    @Test
    void standsBareInAStateOfTheWorldAnswer() throws Exception {
        Any any = DiscoveryResponse.parseFrom(bytes(cluster::writeBare, ApiVersion.V3))
                .getResources(0);
        assertThat(any.unpack(Cluster.class).getName()).isEqualTo("orders");
        assertThat(any).isEqualTo(cluster.toAny());
    }

    @Test
    void standsWithNameAndVersionInADeltaAnswer() throws Exception {
        Resource resource = DeltaDiscoveryResponse.parseFrom(bytes(cluster::writeDelta, ApiVersion.V3))
                .getResources(0);
        assertThat(resource.getName()).isEqualTo("orders");
        assertThat(resource.getVersion()).isEqualTo(cluster.version());
        assertThat(resource.getResource()).isEqualTo(cluster.toAny());
        assertThat(resource.hasTtl()).isFalse();
    }

    @Test
    void carriesItsTimeToLiveWrappedOrInDelta() throws Exception {
        EncodedResource expiring = cluster.expiringAfter(Duration.ofSeconds(9));
        assertThat(expiring.version()).isNotEqualTo(cluster.version());
        Resource wrapped = DiscoveryResponse.parseFrom(bytes(expiring::writeWrapped, ApiVersion.V3))
                .getResources(0)
                .unpack(Resource.class);
        Resource delta = DeltaDiscoveryResponse.parseFrom(bytes(expiring::writeDeltaWithTtl, ApiVersion.V3))
                .getResources(0);
        assertThat(wrapped).isEqualTo(delta);
        assertThat(wrapped.getTtl().getSeconds()).isEqualTo(9);
        assertThat(wrapped.getResource().unpack(Cluster.class).getName()).isEqualTo("orders");
    }

    @Test
    void isNamedAsV2DidForAV2Client() throws Exception {
        EncodedResource listener = Samples.listener("orders", "r");
        Any any = DiscoveryResponse.parseFrom(bytes(listener::writeBare, ApiVersion.V2))
                .getResources(0);
        assertThat(any.getTypeUrl()).isEqualTo("type.googleapis.com/envoy.api.v2.Listener");
        io.envoyproxy.envoy.api.v2.Listener old = any.unpack(io.envoyproxy.envoy.api.v2.Listener.class);
        Any manager = old.getApiListener().getApiListener();
        assertThat(manager.getTypeUrl())
                .isEqualTo(
                        "type.googleapis.com/envoy.config.filter.network.http_connection_manager.v2.HttpConnectionManager");
        assertThat(manager.unpack(
                                io.envoyproxy.envoy.config.filter.network.http_connection_manager.v2
                                        .HttpConnectionManager.class)
                        .getRds()
                        .getRouteConfigName())
                .isEqualTo("r");
        assertThat(listener.toAny().unpack(Listener.class).getName()).isEqualTo("orders");
    }

    @Test
    void takesTypesThatXdsDoesNotKnow() throws InvalidProtocolBufferException {
        EncodedResource mesh = EncodedResource.of("default", Any.pack(StringValue.of("mesh")));
        Any any = DiscoveryResponse.parseFrom(bytes(mesh::writeBare, ApiVersion.V2))
                .getResources(0);
        assertThat(any.unpack(StringValue.class).getValue()).isEqualTo("mesh");
    }

    @Test
    void refusesAResourceWithoutAName() {
        assertThatThrownBy(() -> EncodedResource.of(Cluster.getDefaultInstance()))
                .hasMessageContaining("name: empty");
        assertThatThrownBy(() -> EncodedResource.of(StringValue.of("x"))).hasMessageContaining("give the name");
    }

    private static byte[] bytes(BiConsumer<ApiVersion, Consumer<byte[]>> write, ApiVersion api) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write.accept(api, out::writeBytes);
        return out.toByteArray();
    }
}
