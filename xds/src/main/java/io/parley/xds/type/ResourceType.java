package io.parley.xds.type;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.envoyproxy.envoy.service.runtime.v3.Runtime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A type of resource that xDS carries. Bytes of v2 and v3 are the same message; only the names differ. */
public enum ResourceType {
    LISTENER("envoy.api.v2.Listener", "envoy.config.listener.v3.Listener", Listener.parser()),
    ROUTE("envoy.api.v2.RouteConfiguration", "envoy.config.route.v3.RouteConfiguration", RouteConfiguration.parser()),
    CLUSTER("envoy.api.v2.Cluster", "envoy.config.cluster.v3.Cluster", Cluster.parser()),
    ENDPOINT(
            "envoy.api.v2.ClusterLoadAssignment",
            "envoy.config.endpoint.v3.ClusterLoadAssignment",
            ClusterLoadAssignment.parser()),
    SECRET("envoy.api.v2.auth.Secret", "envoy.extensions.transport_sockets.tls.v3.Secret", Secret.parser()),
    RUNTIME("envoy.service.discovery.v2.Runtime", "envoy.service.runtime.v3.Runtime", Runtime.parser());

    private static final String PREFIX = "type.googleapis.com/";
    private static final Map<String, ResourceType> BY_URL = new HashMap<>();

    static {
        for (ResourceType type : values()) {
            for (ApiVersion version : ApiVersion.values()) {
                BY_URL.put(type.url(version), type);
            }
        }
    }

    private final String v2Url;
    private final String v3Url;
    private final Parser<? extends Message> parser;

    ResourceType(String v2Name, String v3Name, Parser<? extends Message> parser) {
        this.parser = parser;
        v2Url = PREFIX + v2Name;
        v3Url = PREFIX + v3Name;
    }

    public String url(ApiVersion version) {
        return switch (version) {
            case V2 -> v2Url;
            case V3 -> v3Url;
        };
    }

    /** Reads the bytes of a resource of this type, of either version. */
    public Parser<? extends Message> parser() {
        return parser;
    }

    /** The type that this URL names, in either version. */
    public static Optional<ResourceType> find(String url) {
        return Optional.ofNullable(BY_URL.get(url));
    }

    /** The one URL under which both names of a type are kept: the v3 one; a URL that is not known stays as it is. */
    public static String canonical(String url) {
        ResourceType type = BY_URL.get(url);
        return type == null ? url : type.v3Url;
    }
}
