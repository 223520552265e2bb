package io.parley.xds.server;

import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A streaming discovery method.
 *
 * @param type the one that its streams are about; null for the aggregated service
 */
record DiscoveryMethod(
        String service,
        String method,
        Variant variant,
        ApiVersion api,
        @Nullable ResourceType type) {
    enum Variant {
        SOTW("Stream"),
        DELTA("Delta");

        private final String prefix;

        Variant(String prefix) {
            this.prefix = prefix;
        }
    }

    private record Names(String v2Service, String v3Service, String plural) {}

    private static final Map<ResourceType, Names> BY_TYPE = Map.of(
            ResourceType.LISTENER,
            new Names(
                    "envoy.api.v2.ListenerDiscoveryService",
                    "envoy.service.listener.v3.ListenerDiscoveryService",
                    "Listeners"),
            ResourceType.ROUTE,
            new Names("envoy.api.v2.RouteDiscoveryService", "envoy.service.route.v3.RouteDiscoveryService", "Routes"),
            ResourceType.CLUSTER,
            new Names(
                    "envoy.api.v2.ClusterDiscoveryService",
                    "envoy.service.cluster.v3.ClusterDiscoveryService",
                    "Clusters"),
            ResourceType.ENDPOINT,
            new Names(
                    "envoy.api.v2.EndpointDiscoveryService",
                    "envoy.service.endpoint.v3.EndpointDiscoveryService",
                    "Endpoints"),
            ResourceType.SECRET,
            new Names(
                    "envoy.service.discovery.v2.SecretDiscoveryService",
                    "envoy.service.secret.v3.SecretDiscoveryService",
                    "Secrets"),
            ResourceType.RUNTIME,
            new Names(
                    "envoy.service.discovery.v2.RuntimeDiscoveryService",
                    "envoy.service.runtime.v3.RuntimeDiscoveryService",
                    "Runtime"));

    private static final Names AGGREGATED = new Names(
            "envoy.service.discovery.v2.AggregatedDiscoveryService",
            "envoy.service.discovery.v3.AggregatedDiscoveryService",
            "AggregatedResources");

    String fullName() {
        return service + '/' + method;
    }

    /** URL of the type that a request without one is about; null on an aggregated stream. */
    @Nullable
    String typeUrl() {
        return type == null ? null : type.url(api);
    }

    /** Every method of every version. {@code Fetch…} is left out: it is answered UNIMPLEMENTED, as polling tells nobody of a change. */
    static List<DiscoveryMethod> all() {
        List<DiscoveryMethod> methods = new ArrayList<>();
        for (ApiVersion api : ApiVersion.values()) {
            for (Variant variant : Variant.values()) {
                methods.add(of(AGGREGATED, variant, api, null));
                BY_TYPE.forEach((type, names) -> methods.add(of(names, variant, api, type)));
            }
        }
        return methods;
    }

    private static DiscoveryMethod of(Names names, Variant variant, ApiVersion api, @Nullable ResourceType type) {
        String service = api == ApiVersion.V2 ? names.v2Service() : names.v3Service();
        return new DiscoveryMethod(service, variant.prefix + names.plural(), variant, api, type);
    }
}
