package io.parley.xds.client;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.Endpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;

/** Resources for tests. */
final class Sample {
    private Sample() {}

    static Any listener(String name) {
        return Any.pack(Listener.newBuilder().setName(name).build());
    }

    static Any cluster(String name) {
        return Any.pack(Cluster.newBuilder().setName(name).build());
    }

    /** The same cluster with something in it, so that it differs. */
    static Any cluster(String name, int seconds) {
        return Any.pack(Cluster.newBuilder()
                .setName(name)
                .setConnectTimeout(Duration.newBuilder().setSeconds(seconds))
                .build());
    }

    static Any route(String name) {
        return Any.pack(RouteConfiguration.newBuilder().setName(name).build());
    }

    static Any endpoints(String cluster, String address) {
        return Any.pack(ClusterLoadAssignment.newBuilder()
                .setClusterName(cluster)
                .addEndpoints(LocalityLbEndpoints.newBuilder().addLbEndpoints(endpoint(address)))
                .build());
    }

    static LbEndpoint endpoint(String address) {
        return LbEndpoint.newBuilder()
                .setEndpoint(Endpoint.newBuilder()
                        .setAddress(Address.newBuilder()
                                .setSocketAddress(SocketAddress.newBuilder()
                                        .setAddress(address)
                                        .setPortValue(80))))
                .build();
    }

    /** The same bytes under the name that v2 gives the type. */
    static Any asV2(Any resource) {
        ResourceType type = ResourceType.find(resource.getTypeUrl()).orElseThrow();
        return resource.toBuilder().setTypeUrl(type.url(ApiVersion.V2)).build();
    }

    /** The same bytes under any name. */
    static Any named(String typeName, Message message) {
        return Any.newBuilder()
                .setTypeUrl("type.googleapis.com/" + typeName)
                .setValue(message.toByteString())
                .build();
    }
}
