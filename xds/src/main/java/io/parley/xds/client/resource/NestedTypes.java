package io.parley.xds.client.resource;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import java.util.Map;
import java.util.Optional;

/**
 * Opens messages inside resources, whichever version's name they bear: servers may send either (gRPC A30), and the bytes are the
 * same.
 */
public final class NestedTypes {
    private static final Map<String, String> V3_OF_V2 = Map.of(
            "envoy.config.filter.network.http_connection_manager.v2.HttpConnectionManager",
            "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
            "envoy.config.filter.network.tcp_proxy.v2.TcpProxy",
            "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy",
            "envoy.config.filter.http.router.v2.Router",
            "envoy.extensions.filters.http.router.v3.Router",
            "envoy.api.v2.auth.UpstreamTlsContext",
            "envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext",
            "envoy.api.v2.auth.DownstreamTlsContext",
            "envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext",
            "envoy.config.cluster.aggregate.v2alpha.ClusterConfig",
            "envoy.extensions.clusters.aggregate.v3.ClusterConfig");

    private NestedTypes() {}

    /** The v3 name of the message inside, without any prefix. */
    public static String nameOf(Any any) {
        String url = any.getTypeUrl();
        String name = url.substring(url.lastIndexOf('/') + 1);
        return V3_OF_V2.getOrDefault(name, name);
    }

    /**
     * The message inside, if it is of this type in either version.
     *
     * @throws InvalidProtocolBufferException if it is of this type and its bytes are not
     */
    public static <M extends Message> Optional<M> unpack(Any any, M type) throws InvalidProtocolBufferException {
        if (!nameOf(any).equals(type.getDescriptorForType().getFullName())) {
            return Optional.empty();
        }
        @SuppressWarnings("unchecked") // a message's parser makes messages of its own class
        M message = (M) type.getParserForType().parseFrom(any.getValue());
        return Optional.of(message);
    }
}
