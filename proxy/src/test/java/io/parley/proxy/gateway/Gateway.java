package io.parley.proxy.gateway;

import static io.parley.proxy.config.xds.Resources.assignment;
import static io.parley.proxy.config.xds.Resources.bytes;
import static io.parley.proxy.config.xds.Resources.endpoint;
import static io.parley.proxy.config.xds.Resources.extras;
import static io.parley.proxy.config.xds.Resources.filter;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Http1ProtocolOptions;
import io.envoyproxy.envoy.config.core.v3.Http2ProtocolOptions;
import io.envoyproxy.envoy.config.core.v3.TrafficDirection;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.Rds;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.config.xds.Local;
import io.parley.proxy.config.xds.Resources;
import io.parley.proxy.config.xds.XdsConfig;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.telemetry.Complaints;
import io.parley.proxy.tls.CertificateSource;
import io.parley.xds.type.ResourceType;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A gateway on loopback that is told what to do as a control plane would tell it. */
final class Gateway implements AutoCloseable {
    static final String HTTP = "gateway:infra/edge:80";
    private static final String OPTIONS = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";

    private final TestMesh mesh = new TestMesh();
    private final Proxy proxy = mesh.start(CertificateSource.none(), ProxyConfig.EMPTY);
    private final XdsConfig config = new XdsConfig(Local.NOTHING, proxy::applyWhatCanBe);

    Gateway() {
        config.release();
    }

    TestMesh mesh() {
        return mesh;
    }

    Proxy proxy() {
        return proxy;
    }

    InetSocketAddress address(String listener) {
        return proxy.address(listener);
    }

    int port() {
        return address(HTTP).getPort();
    }

    /** How many clients are connected. */
    int connections() {
        return proxy.machinery().sessions().count();
    }

    String metrics() {
        return proxy.machinery().telemetry().render();
    }

    /** What it says of a backend to those who run it. */
    String complaint(String cluster) {
        return proxy.machinery().telemetry().http().complaints().all().stream()
                .filter(complaint -> complaint.cluster().equals(cluster))
                .map(Complaints.Complaint::text)
                .findFirst()
                .orElse("");
    }

    /** Tells it resources of one type; those that it had and that have other names stay. */
    Gateway tell(ResourceType type, Message... resources) {
        Map<String, String> refused = config.change(type, "1", bytes(resources), List.of());
        if (!refused.isEmpty()) {
            throw new AssertionError(refused.toString());
        }
        return this;
    }

    Gateway untell(ResourceType type, String... names) {
        Map<String, String> refused = config.change(type, "1", Map.of(), List.of(names));
        if (!refused.isEmpty()) {
            throw new AssertionError(refused.toString());
        }
        return this;
    }

    Map<String, String> waiting() {
        return config.waiting();
    }

    /** A listener for HTTP in clear, with these routes for every host. */
    Gateway http(Route... routes) {
        tell(ResourceType.ROUTE, routes(HTTP + "/http", host("*", routes)));
        return tell(
                ResourceType.LISTENER,
                listener(HTTP).setDefaultFilterChain(toRoutes(HTTP + "/http")).build());
    }

    /** A backend and its endpoints on loopback. */
    Gateway backend(Cluster.Builder cluster, int... ports) {
        tell(ResourceType.CLUSTER, cluster.build());
        return tell(
                ResourceType.ENDPOINT,
                assignment(
                        cluster.getName(),
                        java.util.Arrays.stream(ports)
                                .mapToObj(port -> endpoint(port))
                                .toArray(LbEndpoint[]::new)));
    }

    static Listener.Builder listener(String name) {
        return Listener.newBuilder()
                .setName(name)
                .setTrafficDirection(TrafficDirection.OUTBOUND)
                .setMetadata(extras(Map.of("gateway", "infra/edge")))
                .setAddress(Resources.address("127.0.0.1", 0));
    }

    static FilterChain toRoutes(String routes) {
        return FilterChain.newBuilder()
                .addFilters(filter(
                        "http",
                        HttpConnectionManager.newBuilder()
                                .setStatPrefix("x")
                                .setRds(Rds.newBuilder().setRouteConfigName(routes))
                                .addUpgradeConfigs(HttpConnectionManager.UpgradeConfig.newBuilder()
                                        .setUpgradeType("websocket"))
                                .build()))
                .build();
    }

    static RouteConfiguration routes(String name, VirtualHost... hosts) {
        return RouteConfiguration.newBuilder()
                .setName(name)
                .addAllVirtualHosts(List.of(hosts))
                .build();
    }

    static VirtualHost host(String domain, Route... routes) {
        return VirtualHost.newBuilder()
                .setName(domain)
                .addDomains(domain)
                .addAllRoutes(Stream.of(routes).toList())
                .build();
    }

    static RouteMatch everything() {
        return prefix("/");
    }

    static RouteMatch prefix(String prefix) {
        return prefix.equals("/")
                ? RouteMatch.newBuilder().setPrefix("/").build()
                : RouteMatch.newBuilder().setPathSeparatedPrefix(prefix).build();
    }

    static Route to(String prefix, String cluster) {
        Route.Builder route = Route.newBuilder().setMatch(prefix(prefix));
        route.getRouteBuilder().setCluster(cluster);
        return route.build();
    }

    static Cluster.Builder cluster(String name) {
        return Cluster.newBuilder()
                .setName(name)
                .setType(Cluster.DiscoveryType.EDS)
                .setLbPolicy(Cluster.LbPolicy.ROUND_ROBIN);
    }

    static Cluster.Builder http1(String name) {
        HttpProtocolOptions.Builder options = HttpProtocolOptions.newBuilder();
        options.getExplicitHttpConfigBuilder().setHttpProtocolOptions(Http1ProtocolOptions.getDefaultInstance());
        return with(name, options);
    }

    static Cluster.Builder h2c(String name) {
        HttpProtocolOptions.Builder options = HttpProtocolOptions.newBuilder();
        options.getExplicitHttpConfigBuilder().setHttp2ProtocolOptions(Http2ProtocolOptions.getDefaultInstance());
        return with(name, options);
    }

    static Cluster.Builder negotiated(String name) {
        HttpProtocolOptions.Builder options = HttpProtocolOptions.newBuilder();
        options.getAutoConfigBuilder();
        return with(name, options);
    }

    private static Cluster.Builder with(String name, HttpProtocolOptions.Builder options) {
        return cluster(name).putTypedExtensionProtocolOptions(OPTIONS, Any.pack(options.build()));
    }

    /** A backend that was configured wrongly. */
    static Cluster invalid(String name, int status, String because) {
        return cluster(name)
                .setMetadata(extras(Map.of("direct_response", status, "because", because)))
                .build();
    }

    @Override
    public void close() {
        mesh.close();
    }
}
