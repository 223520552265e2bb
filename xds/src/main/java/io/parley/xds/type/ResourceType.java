package io.parley.xds.type;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A type of resource that xDS carries. Bytes of v2 and v3 are the same message; only the names differ. */
public enum ResourceType {
    LISTENER("envoy.api.v2.Listener", "envoy.config.listener.v3.Listener"),
    ROUTE("envoy.api.v2.RouteConfiguration", "envoy.config.route.v3.RouteConfiguration"),
    CLUSTER("envoy.api.v2.Cluster", "envoy.config.cluster.v3.Cluster"),
    ENDPOINT("envoy.api.v2.ClusterLoadAssignment", "envoy.config.endpoint.v3.ClusterLoadAssignment"),
    SECRET("envoy.api.v2.auth.Secret", "envoy.extensions.transport_sockets.tls.v3.Secret"),
    RUNTIME("envoy.service.discovery.v2.Runtime", "envoy.service.runtime.v3.Runtime");

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

    ResourceType(String v2Name, String v3Name) {
        v2Url = PREFIX + v2Name;
        v3Url = PREFIX + v3Name;
    }

    public String url(ApiVersion version) {
        return switch (version) {
            case V2 -> v2Url;
            case V3 -> v3Url;
        };
    }

    /** The type that this URL names, in either version. */
    public static Optional<ResourceType> find(String url) {
        return Optional.ofNullable(BY_URL.get(url));
    }
}
