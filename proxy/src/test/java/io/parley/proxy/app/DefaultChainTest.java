package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.config.xds.Resources.bytes;
import static io.parley.proxy.config.xds.Resources.filter;
import static io.parley.proxy.config.xds.Resources.inbound;
import static io.parley.proxy.config.xds.Resources.outbound;
import static io.parley.proxy.config.xds.Resources.passThrough;
import static io.parley.proxy.config.xds.Resources.port;
import static io.parley.proxy.config.xds.Resources.staticCluster;
import static io.parley.proxy.config.xds.Resources.strict;
import static io.parley.proxy.config.xds.Resources.toCluster;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.BoolValue;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.rbac.v3.Permission;
import io.envoyproxy.envoy.config.rbac.v3.Policy;
import io.envoyproxy.envoy.config.rbac.v3.Principal;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBAC;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.type.matcher.v3.PathMatcher;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.config.xds.Local;
import io.parley.proxy.config.xds.XdsConfig;
import io.parley.proxy.http1.RecordingServer;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.SessionProtocol;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds for requests on connections that no filter chain is for. */
class DefaultChainTest {
    private final TestMesh mesh = new TestMesh();
    private final Proxy proxy = mesh.start(SERVER, ProxyConfig.EMPTY);
    private final XdsConfig config = new XdsConfig(Local.NOTHING, proxy::applyWhatCanBe);
    private RecordingServer application;

    @BeforeEach
    void start() throws IOException {
        application = RecordingServer.ok();
        config.release();
    }

    @AfterEach
    void close() throws IOException {
        mesh.close();
        application.close();
    }

    private Map<String, String> tell(ResourceType type, Message... resources) {
        return config.change(type, "1", bytes(resources), List.of());
    }

    @Test
    void itsRulesHoldForPortsWithoutAChain() throws IOException {
        tell(ResourceType.CLUSTER, staticCluster("other", 1), passThrough("as-dialled"));
        assertThat(tell(
                        ResourceType.LISTENER,
                        inbound(
                                        "inbound",
                                        0,
                                        toCluster("other")
                                                .setTransportSocket(strict())
                                                .setFilterChainMatch(port(1))
                                                .build())
                                .setDefaultFilterChain(
                                        requests().setTransportSocket(strict()).build())
                                .build()))
                .isEmpty();

        assertThat(ask("/")).isEqualTo("HTTP/1.1 200");
        assertThat(ask("/secret")).isEqualTo("HTTP/1.1 403");
        assertThat(application.requests()).hasSize(1);
    }

    private String ask(String path) throws IOException {
        ConnectionHeader header = ConnectionHeader.toPort(application.port(), SessionProtocol.HTTP1);
        try (PeerProxy peer = PeerProxy.connect(
                proxy.address("inbound"),
                mesh.credentials(CLIENT),
                PeerIdentity.serverName(SERVER),
                ConnectionHeader.ALPN)) {
            return peer.send(PeerProxy.bytes(header, "GET " + path + " HTTP/1.1\r\nHost: x.example\r\n\r\n"))
                    .read(12);
        }
    }

    @Test
    void forDestinationsThatNobodyKnowsTheyAreRefused() {
        Map<String, String> refused = tell(
                ResourceType.LISTENER,
                outbound("outbound", 0, toCluster("other").build())
                        .clearFilterChains()
                        .setUseOriginalDst(BoolValue.of(true))
                        .setDefaultFilterChain(requests())
                        .build());
        assertThat(refused.get("outbound"))
                .contains("default_filter_chain: http_connection_manager (expected: tcp_proxy");
    }

    /** All requests but those for a secret, which go where they were to go. */
    private static FilterChain.Builder requests() {
        RBAC.Builder rbac = RBAC.newBuilder();
        rbac.getRulesBuilder()
                .setAction(io.envoyproxy.envoy.config.rbac.v3.RBAC.Action.DENY)
                .putPolicies(
                        "p",
                        Policy.newBuilder()
                                .addPrincipals(Principal.newBuilder().setAny(true))
                                .addPermissions(Permission.newBuilder()
                                        .setUrlPath(PathMatcher.newBuilder()
                                                .setPath(StringMatcher.newBuilder()
                                                        .setExact("/secret"))))
                                .build());
        HttpConnectionManager.Builder manager =
                HttpConnectionManager.newBuilder().setStatPrefix("x");
        manager.addHttpFiltersBuilder().setName("rbac").setTypedConfig(Any.pack(rbac.build()));
        manager.addHttpFiltersBuilder().setName("router").setTypedConfig(Any.pack(Router.getDefaultInstance()));
        var host = manager.getRouteConfigBuilder()
                .setName("routes")
                .addVirtualHostsBuilder()
                .setName("all")
                .addDomains("*");
        var route = host.addRoutesBuilder();
        route.getMatchBuilder().setPrefix("/");
        route.getRouteBuilder().setCluster("as-dialled");
        return FilterChain.newBuilder().addFilters(filter("hcm", manager.build()));
    }
}
