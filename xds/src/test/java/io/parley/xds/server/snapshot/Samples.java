package io.parley.xds.server.snapshot;

import com.google.protobuf.Any;
import com.google.protobuf.UInt32Value;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.AggregatedConfigSource;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.config.core.v3.Locality;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.Endpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import io.envoyproxy.envoy.config.listener.v3.ApiListener;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.Rds;
import io.parley.xds.type.ResourceType;

/** Small resources of every type, as a gRPC client needs them. */
public final class Samples {
    public static final ConfigSource ADS = ConfigSource.newBuilder()
            .setAds(AggregatedConfigSource.getDefaultInstance())
            .build();

    private Samples() {}

    public static EncodedResource listener(String name, String route) {
        return EncodedResource.of(Listener.newBuilder()
                .setName(name)
                .setApiListener(ApiListener.newBuilder()
                        .setApiListener(Any.pack(HttpConnectionManager.newBuilder()
                                .setStatPrefix(name)
                                .setRds(Rds.newBuilder()
                                        .setRouteConfigName(route)
                                        .setConfigSource(ADS))
                                .addHttpFilters(router())
                                .build())))
                .build());
    }

    public static HttpFilter router() {
        return HttpFilter.newBuilder()
                .setName("router")
                .setTypedConfig(Any.pack(Router.getDefaultInstance()))
                .build();
    }

    public static EncodedResource route(String name, String cluster) {
        return EncodedResource.of(RouteConfiguration.newBuilder()
                .setName(name)
                .addVirtualHosts(VirtualHost.newBuilder()
                        .setName(name)
                        .addDomains("*")
                        .addRoutes(Route.newBuilder()
                                .setMatch(RouteMatch.newBuilder().setPrefix(""))
                                .setRoute(RouteAction.newBuilder().setCluster(cluster))))
                .build());
    }

    public static EncodedResource cluster(String name) {
        return EncodedResource.of(clusterMessage(name).build());
    }

    /** The same cluster with something changed that is not its endpoints. */
    public static EncodedResource cluster(String name, int connectTimeoutSeconds) {
        return EncodedResource.of(clusterMessage(name)
                .setConnectTimeout(com.google.protobuf.Duration.newBuilder().setSeconds(connectTimeoutSeconds))
                .build());
    }

    public static Cluster.Builder clusterMessage(String name) {
        return Cluster.newBuilder()
                .setName(name)
                .setType(Cluster.DiscoveryType.EDS)
                .setEdsClusterConfig(Cluster.EdsClusterConfig.newBuilder().setEdsConfig(ADS));
    }

    public static EncodedResource endpoints(String cluster, int... ports) {
        // grpc-js rejects endpoints without a locality.
        LocalityLbEndpoints.Builder locality = LocalityLbEndpoints.newBuilder()
                .setLocality(Locality.newBuilder().setRegion("r"))
                .setLoadBalancingWeight(UInt32Value.of(1));
        for (int port : ports) {
            locality.addLbEndpoints(LbEndpoint.newBuilder()
                    .setEndpoint(Endpoint.newBuilder()
                            .setAddress(Address.newBuilder()
                                    .setSocketAddress(SocketAddress.newBuilder()
                                            .setAddress("127.0.0.1")
                                            .setPortValue(port)))));
        }
        return EncodedResource.of(ClusterLoadAssignment.newBuilder()
                .setClusterName(cluster)
                .addEndpoints(locality)
                .build());
    }

    /** One listener, one route "r" to the cluster, that cluster and its endpoints. */
    public static Snapshot mesh(String cluster, String routeTo) {
        return Snapshot.EMPTY
                .with(ResourceType.CLUSTER, ResourceSet.of(cluster(cluster)))
                .with(ResourceType.ENDPOINT, ResourceSet.of(endpoints(cluster, 1)))
                .with(ResourceType.LISTENER, ResourceSet.of(listener("l", "r")))
                .with(ResourceType.ROUTE, ResourceSet.of(route("r", routeTo)));
    }
}
