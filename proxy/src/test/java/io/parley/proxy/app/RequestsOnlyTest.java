package io.parley.proxy.app;

import static io.parley.proxy.config.xds.Resources.bytes;
import static io.parley.proxy.config.xds.Resources.filter;
import static io.parley.proxy.config.xds.Resources.outbound;
import static io.parley.proxy.config.xds.Resources.read;
import static io.parley.proxy.config.xds.Resources.staticCluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.config.xds.Local;
import io.parley.proxy.config.xds.XdsConfig;
import io.parley.proxy.http1.RecordingServer;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.CertificateSource;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.net.SocketException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Listeners by xDS that have no place for a connection as a whole, as no route takes every path to a cluster. */
class RequestsOnlyTest {
    private final TestMesh mesh = new TestMesh();
    private final Proxy proxy = mesh.start(CertificateSource.none(), ProxyConfig.EMPTY);
    private final XdsConfig config = new XdsConfig(Local.NOTHING, proxy::applyWhatCanBe);

    @BeforeEach
    void start() {
        config.release();
    }

    @AfterEach
    void stop() {
        mesh.close();
    }

    private void tell(ResourceType type, Message... resources) {
        assertThat(config.change(type, "1", bytes(resources), List.of())).isEmpty();
    }

    private static Listener listener(String routes) {
        HttpConnectionManager manager = read(
                        "route_config { virtual_hosts { name: 'all' domains: '*' " + routes + " } }",
                        HttpConnectionManager.newBuilder())
                .build();
        return outbound(
                        "outbound:a",
                        0,
                        FilterChain.newBuilder()
                                .addFilters(filter("http", manager))
                                .build())
                .build();
    }

    private Client client() throws IOException {
        assertThat(config.waiting()).isEmpty();
        return Client.to(proxy.address("outbound:a"));
    }

    @Test
    void answersAndRedirectsThatNeedNoServerAreGiven() throws IOException {
        tell(
                ResourceType.LISTENER,
                listener("routes { match { prefix: '/old' } redirect { path_redirect: '/new' } }"
                        + " routes { match { prefix: '/' } direct_response { status: 204 } }"));
        try (Client client = client()) {
            assertThat(client.send("GET /old HTTP/1.1\r\nHost: a\r\n\r\n").read(12))
                    .isEqualTo("HTTP/1.1 301");
        }
        try (Client client = client()) {
            assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read(12))
                    .isEqualTo("HTTP/1.1 204");
        }
    }

    @Test
    void routesForSomePathsAreEnough() throws IOException {
        try (RecordingServer server = RecordingServer.ok()) {
            tell(ResourceType.CLUSTER, staticCluster("app", server.port()));
            tell(ResourceType.LISTENER, listener("routes { match { prefix: '/api' } route { cluster: 'app' } }"));
            try (Client client = client()) {
                assertThat(client.send("GET /api HTTP/1.1\r\nHost: a\r\n\r\n").read(12))
                        .isEqualTo("HTTP/1.1 200");
            }
            try (Client client = client()) {
                assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read(12))
                        .isEqualTo("HTTP/1.1 404");
            }
        }
    }

    @Test
    void whatIsNoRequestIsRefused() throws IOException {
        tell(ResourceType.LISTENER, listener("routes { match { prefix: '/' } direct_response { status: 204 } }"));
        try (Client client = client()) {
            assertThatThrownBy(client.send("\0\1\2 no request\r\n\r\n")::readAll)
                    .isInstanceOf(SocketException.class);
        }
        assertThat(proxy.machinery().telemetry().render()).contains("no-endpoint");
    }
}
