package io.parley.proxy.config.xds;

import static io.parley.proxy.config.xds.Resources.allow;
import static io.parley.proxy.config.xds.Resources.assignment;
import static io.parley.proxy.config.xds.Resources.bytes;
import static io.parley.proxy.config.xds.Resources.destination;
import static io.parley.proxy.config.xds.Resources.discovered;
import static io.parley.proxy.config.xds.Resources.endpoint;
import static io.parley.proxy.config.xds.Resources.extras;
import static io.parley.proxy.config.xds.Resources.filter;
import static io.parley.proxy.config.xds.Resources.inbound;
import static io.parley.proxy.config.xds.Resources.meshed;
import static io.parley.proxy.config.xds.Resources.outbound;
import static io.parley.proxy.config.xds.Resources.passThrough;
import static io.parley.proxy.config.xds.Resources.port;
import static io.parley.proxy.config.xds.Resources.staticCluster;
import static io.parley.proxy.config.xds.Resources.strict;
import static io.parley.proxy.config.xds.Resources.toCluster;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.BoolValue;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.HealthStatus;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.Rds;
import io.parley.agreement.port.PortList;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.config.Routing;
import io.parley.wire.header.HeaderMagic;
import io.parley.xds.type.ResourceType;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What becomes of resources, without a proxy. */
class XdsConfigTest {
    private static final String WEB = "spiffe://mesh/web";

    private final List<ProxyConfig> told = new ArrayList<>();
    private final XdsConfig config = new XdsConfig(Local.NOTHING, told::add);

    @Test
    void anOutboundListenerGoesToItsCluster() {
        config.release();
        put(ResourceType.CLUSTER, discovered("db"));
        put(ResourceType.ENDPOINT, assignment("db", meshed(3306, 4143, WEB), endpoint(3307)));
        put(
                ResourceType.LISTENER,
                outbound(
                                "outbound:127.0.0.1:0",
                                0,
                                toCluster("db")
                                        .setMetadata(extras(Map.of(
                                                "protocol", "opaque",
                                                "service", "db.mesh",
                                                "because", "port 3306 is opaque",
                                                "source", "Service/default/db#spec.ports[0]")))
                                        .build())
                        .build());
        ListenerConfig listener = now().listeners().getFirst();
        assertThat(listener.routing()).isInstanceOfSatisfying(Routing.Fixed.class, fixed -> {
            assertThat(fixed.target().name()).isEqualTo("db.mesh");
            assertThat(fixed.target().declared().value()).isEqualTo(Protocol.OPAQUE);
            assertThat(fixed.target().declared().because()).isEqualTo("port 3306 is opaque");
            assertThat(fixed.target().declared().source().field()).isEqualTo("spec.ports[0]");
        });
        List<Endpoint> endpoints =
                Objects.requireNonNull(now().clusters().get("db")).endpoints();
        // TLS is demanded and nobody says who is at 3307, so it is left out.
        assertThat(endpoints).hasSize(1);
        Endpoint.Mesh mesh = Objects.requireNonNull(endpoints.getFirst().mesh());
        assertThat(mesh.identity()).hasToString(WEB);
        assertThat(mesh.proxy().getPort()).isEqualTo(4143);
        assertThat(mesh.serverName()).isEqualTo("web.mesh");
    }

    @Test
    void aTransparentListenerGoesByDestination() {
        config.release();
        put(ResourceType.CLUSTER, staticCluster("db", 3306), passThrough("pass"));
        Listener.Builder transparent = outbound(
                        "outbound",
                        4140,
                        toCluster("db")
                                .setFilterChainMatch(destination("10.0.0.1", 80))
                                .build())
                .setUseOriginalDst(BoolValue.of(true));
        put(ResourceType.LISTENER, transparent.build());
        assertThat(byDestination().unknown()).isEqualTo(Routing.Unknown.REFUSE);
        put(
                ResourceType.LISTENER,
                transparent.setDefaultFilterChain(toCluster("pass")).build());
        assertThat(byDestination().unknown()).isEqualTo(Routing.Unknown.PASS);
        assertThat(byDestination().targets()).containsOnlyKeys(new InetSocketAddress("10.0.0.1", 80));
    }

    /** Connections that are open go by it: another service's would lead them there. */
    @Test
    void whatHoldsForAServicesRequestsKeepsItsNameWhenAnotherServiceComesOrGoes() {
        config.release();
        put(ResourceType.CLUSTER, staticCluster("web", 80));
        put(ResourceType.ROUTE, routesToWeb());
        FilterChain first = requestsFor("10.0.0.1");
        FilterChain second = requestsFor("10.0.0.2");
        Listener.Builder transparent = outbound("outbound", 4140, first).setUseOriginalDst(BoolValue.of(true));
        put(ResourceType.LISTENER, transparent.addFilterChains(second).build());
        String name = requestsTo("10.0.0.2");
        assertThat(name).isNotEqualTo(requestsTo("10.0.0.1"));

        put(
                ResourceType.LISTENER,
                transparent.clearFilterChains().addFilterChains(second).build());

        assertThat(requestsTo("10.0.0.2")).isEqualTo(name);
    }

    private static RouteConfiguration routesToWeb() {
        return RouteConfiguration.newBuilder()
                .setName("routes")
                .addVirtualHosts(VirtualHost.newBuilder()
                        .setName("all")
                        .addDomains("*")
                        .addRoutes(Route.newBuilder()
                                .setMatch(RouteMatch.newBuilder().setPrefix("/"))
                                .setRoute(RouteAction.newBuilder().setCluster("web"))))
                .build();
    }

    private static FilterChain requestsFor(String address) {
        Filter manager = filter(
                "hcm",
                HttpConnectionManager.newBuilder()
                        .setStatPrefix("x")
                        .setRds(Rds.newBuilder().setRouteConfigName("routes"))
                        .build());
        return FilterChain.newBuilder()
                .setFilterChainMatch(destination(address, 80))
                .addFilters(manager)
                .build();
    }

    private String requestsTo(String address) {
        return Objects.requireNonNull(
                        Objects.requireNonNull(byDestination().targets().get(new InetSocketAddress(address, 80)))
                                .http())
                .name();
    }

    private Routing.ByDestination byDestination() {
        return (Routing.ByDestination) now().listeners().getFirst().routing();
    }

    @Test
    void anInboundListenerKnowsItsPortsAndWhoMayUseThem() {
        config.release();
        put(ResourceType.CLUSTER, staticCluster("app:80", 8080), passThrough("as-dialled"));
        FilterChain guarded = toCluster("app:80")
                .clearFilters()
                .addFilters(allow(WEB))
                .addFilters(toCluster("app:80").getFilters(0))
                .setTransportSocket(strict())
                .setFilterChainMatch(port(80))
                .build();
        put(
                ResourceType.LISTENER,
                inbound("inbound", 4143, guarded)
                        .setDefaultFilterChain(toCluster("as-dialled"))
                        .build());
        Routing.ToApplication routing =
                (Routing.ToApplication) now().listeners().getFirst().routing();
        InboundPort port = routing.port(80);
        assertThat(port.authorization().allows(SpiffeId.parse(WEB))).isTrue();
        assertThat(port.authorization().allows(SpiffeId.parse("spiffe://mesh/other")))
                .isFalse();
        assertThat(port.authorization().allows(null)).isFalse();
        assertThat(routing.application()
                        .port(80, java.net.InetAddress.getLoopbackAddress())
                        .getPort())
                .isEqualTo(8080);
        assertThat(routing.port(81).authorization().allows(null)).isTrue();
    }

    @Test
    void aDenialBeatsAnAllowance() {
        GuardReader guards = new GuardReader(reading());
        var deny = allow(WEB);
        assertThat(guards.authorization(GuardReader.Clients.ASKED).allows(null)).isTrue();
        var rbac = (io.envoyproxy.envoy.extensions.filters.network.rbac.v3.RBAC) KnownTypes.open(deny.getTypedConfig());
        guards.read(
                rbac.toBuilder()
                        .setRules(rbac.getRules().toBuilder()
                                .setAction(io.envoyproxy.envoy.config.rbac.v3.RBAC.Action.DENY))
                        .build(),
                "");
        var authorization = guards.authorization(GuardReader.Clients.MEMBERS);
        assertThat(authorization.allows(SpiffeId.parse(WEB))).isFalse();
        assertThat(authorization.allows(SpiffeId.parse("spiffe://mesh/other"))).isTrue();
    }

    @Test
    void whereCertificatesAreOnlyAskedForRulesHoldForStrangersTooAndInAPermissiveMeshTheyDoNot() {
        GuardReader guards = new GuardReader(reading());
        guards.read(
                (io.envoyproxy.envoy.extensions.filters.network.rbac.v3.RBAC)
                        KnownTypes.open(allow(WEB).getTypedConfig()),
                "");
        assertThat(guards.authorization(GuardReader.Clients.ASKED).allows(null)).isFalse();
        var permissive = guards.authorization(GuardReader.Clients.PERMISSIVE);
        assertThat(permissive.allows(null)).isTrue();
        assertThat(permissive.allows(SpiffeId.parse(WEB))).isTrue();
        assertThat(permissive.allows(SpiffeId.parse("spiffe://mesh/other"))).isFalse();
    }

    private static Reading reading() {
        Reading[] taken = new Reading[1];
        Object _ = Reading.of(Listener.getDefaultInstance(), (_, reading) -> {
            taken[0] = reading;
            return "";
        });
        return taken[0];
    }

    @Test
    void aListenerWaitsForWhatItRefersTo() {
        config.release();
        put(
                ResourceType.LISTENER,
                outbound("outbound:a", 0, toCluster("db").build()).build());
        assertThat(now().listeners()).isEmpty();
        assertThat(config.waiting()).containsEntry("outbound:a", "cluster db is not there (filter_chains[0])");
        put(ResourceType.CLUSTER, discovered("db"));
        assertThat(config.waiting().get("outbound:a")).contains("endpoints of cluster db");
        assertThat(config.referred(ResourceType.ENDPOINT)).containsExactly("db");
        put(ResourceType.ENDPOINT, assignment("db", meshed(1, 2, WEB)));
        assertThat(now().listeners()).hasSize(1);
        assertThat(config.waiting()).isEmpty();
    }

    @Test
    void aListenerInForceStaysAsItWasWhileItsSuccessorWaits() {
        config.release();
        put(ResourceType.CLUSTER, staticCluster("old", 1));
        put(
                ResourceType.LISTENER,
                outbound("outbound:a", 0, toCluster("old").build()).build());
        change(ResourceType.CLUSTER, Map.of(), List.of("old"));
        put(
                ResourceType.LISTENER,
                outbound("outbound:a", 0, toCluster("new").build()).build());
        assertThat(((Routing.Fixed) now().listeners().getFirst().routing())
                        .target()
                        .cluster())
                .isEqualTo("old");
        assertThat(now().clusters()).containsKey("old");
        put(ResourceType.CLUSTER, staticCluster("new", 1));
        assertThat(((Routing.Fixed) now().listeners().getFirst().routing())
                        .target()
                        .cluster())
                .isEqualTo("new");
        assertThat(now().clusters()).doesNotContainKey("old");
    }

    @Test
    void httpGoesToTheClusterOfTheRouteThatTakesEveryPath() {
        config.release();
        Filter manager = filter(
                "hcm",
                HttpConnectionManager.newBuilder()
                        .setStatPrefix("x")
                        .setRds(Rds.newBuilder().setRouteConfigName("routes"))
                        .build());
        put(ResourceType.CLUSTER, staticCluster("web", 80));
        put(
                ResourceType.LISTENER,
                outbound(
                                "outbound:a",
                                0,
                                FilterChain.newBuilder().addFilters(manager).build())
                        .build());
        assertThat(config.referred(ResourceType.ROUTE)).containsExactly("routes");
        put(ResourceType.ROUTE, routesToWeb());
        Routing.Fixed fixed = (Routing.Fixed) now().listeners().getFirst().routing();
        assertThat(fixed.target().cluster()).isEqualTo("web");
        assertThat(fixed.target().declared().value()).isEqualTo(Protocol.DETECT);
    }

    @Test
    void endpointsThatAreNotWellAreLeftOut() {
        config.release();
        put(
                ResourceType.CLUSTER,
                Cluster.newBuilder()
                        .setName("db")
                        .setType(Cluster.DiscoveryType.EDS)
                        .build());
        put(
                ResourceType.ENDPOINT,
                assignment(
                        "db",
                        endpoint(1),
                        endpoint(2).toBuilder()
                                .setHealthStatus(HealthStatus.UNHEALTHY)
                                .build()));
        put(
                ResourceType.LISTENER,
                outbound("outbound:a", 0, toCluster("db").build()).build());
        assertThat(Objects.requireNonNull(now().clusters().get("db")).endpoints())
                .hasSize(1);
    }

    /** The header names a port that nobody at this address has. */
    @Test
    void behindAnotherZonesIngressThePortIsNotTheOneThatIsDialled() {
        config.release();
        put(
                ResourceType.CLUSTER,
                Cluster.newBuilder()
                        .setName("db")
                        .setType(Cluster.DiscoveryType.EDS)
                        .build());
        put(
                ResourceType.ENDPOINT,
                assignment(
                        "db",
                        endpoint(10001).toBuilder()
                                .setMetadata(extras(Map.of("target_port", 5432, "identity", WEB)))
                                .build()));
        put(
                ResourceType.LISTENER,
                outbound("outbound:a", 0, toCluster("db").build()).build());

        Endpoint endpoint =
                Objects.requireNonNull(now().clusters().get("db")).endpoints().getFirst();
        assertThat(endpoint.address().getPort()).isEqualTo(5432);
        assertThat(endpoint.dialled().getPort()).isEqualTo(10001);
        assertThat(Objects.requireNonNull(endpoint.mesh()).magic()).isEqualTo(HeaderMagic.SHIPPED);
    }

    @Test
    void whatTheEnvironmentDeclaresIsNotWeakened() {
        XdsConfig local =
                new XdsConfig(new Local(null, null, PortList.parse("3306").ports()), told::add);
        local.release();
        local.change(ResourceType.CLUSTER, "1", bytes(passThrough("as-dialled")), List.of());
        FilterChain undeclared = toCluster("as-dialled")
                .setFilterChainMatch(port(3306))
                .setMetadata(extras(Map.of("protocol", "detect")))
                .build();
        local.change(
                ResourceType.LISTENER,
                "1",
                bytes(inbound("inbound", 4143, undeclared).build()),
                List.of());
        Routing.ToApplication routing =
                (Routing.ToApplication) now().listeners().getFirst().routing();
        assertThat(routing.port(3306).declared().value()).isEqualTo(Protocol.OPAQUE);
        assertThat(routing.port(3307).declared().value()).isEqualTo(Protocol.DETECT);
    }

    private ProxyConfig now() {
        return told.getLast();
    }

    private void put(ResourceType type, Message... resources) {
        assertThat(change(type, resources)).isEmpty();
    }

    private Map<String, String> change(ResourceType type, Message... resources) {
        return change(type, bytes(resources), List.of());
    }

    private Map<String, String> change(ResourceType type, Map<String, ByteString> resources, List<String> removed) {
        return config.change(type, "1", resources, removed);
    }
}
