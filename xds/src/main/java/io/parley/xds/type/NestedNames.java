package io.parley.xds.type;

import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.envoyproxy.envoy.extensions.clusters.aggregate.v3.ClusterConfig;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import java.util.List;
import java.util.Map;

/**
 * The messages that travel as {@link Any} inside a resource and had another name in v2. Their bytes are the same, but a v2 client looks
 * for the v2 name only (grpc-java 1.33 does).
 */
public final class NestedNames {
    private static final String PREFIX = "type.googleapis.com/";

    private record Nested(String v2Url, Parser<? extends Message> parser) {}

    private static final Map<String, Nested> BY_V3_URL = Map.of(
            url(HttpConnectionManager.getDefaultInstance()),
            nested(
                    "envoy.config.filter.network.http_connection_manager.v2.HttpConnectionManager",
                    HttpConnectionManager.parser()),
            url(TcpProxy.getDefaultInstance()),
            nested("envoy.config.filter.network.tcp_proxy.v2.TcpProxy", TcpProxy.parser()),
            url(Router.getDefaultInstance()),
            nested("envoy.config.filter.http.router.v2.Router", Router.parser()),
            url(UpstreamTlsContext.getDefaultInstance()),
            nested("envoy.api.v2.auth.UpstreamTlsContext", UpstreamTlsContext.parser()),
            url(DownstreamTlsContext.getDefaultInstance()),
            nested("envoy.api.v2.auth.DownstreamTlsContext", DownstreamTlsContext.parser()),
            url(ClusterConfig.getDefaultInstance()),
            nested("envoy.config.cluster.aggregate.v2alpha.ClusterConfig", ClusterConfig.parser()));

    private NestedNames() {}

    /** The same message with every nested name that v2 knew spelled as v2 spelled it; other names stay. */
    public static Message inV2(Message message) throws InvalidProtocolBufferException {
        if (message instanceof Any any) {
            return anyInV2(any);
        }
        Message.Builder builder = message.toBuilder();
        for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
            FieldDescriptor field = entry.getKey();
            if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
                continue;
            }
            if (!field.isRepeated()) {
                builder.setField(field, inV2((Message) entry.getValue()));
                continue;
            }
            List<?> values = (List<?>) entry.getValue();
            for (int i = 0; i < values.size(); i++) {
                builder.setRepeatedField(field, i, inV2((Message) values.get(i)));
            }
        }
        return builder.build();
    }

    private static Any anyInV2(Any any) throws InvalidProtocolBufferException {
        Nested nested = BY_V3_URL.get(any.getTypeUrl());
        if (nested == null) {
            return any;
        }
        Message inner = inV2(nested.parser().parseFrom(any.getValue()));
        return Any.newBuilder()
                .setTypeUrl(nested.v2Url())
                .setValue(inner.toByteString())
                .build();
    }

    private static Nested nested(String v2Name, Parser<? extends Message> parser) {
        return new Nested(PREFIX + v2Name, parser);
    }

    private static String url(Message message) {
        return PREFIX + message.getDescriptorForType().getFullName();
    }
}
