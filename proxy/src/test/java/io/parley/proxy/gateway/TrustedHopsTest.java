package io.parley.proxy.gateway;

import static io.parley.proxy.config.xds.Resources.filter;
import static io.parley.proxy.config.xds.Resources.read;
import static io.parley.proxy.gateway.Calls.said;
import static io.parley.proxy.gateway.Gateway.HTTP;
import static io.parley.proxy.gateway.Gateway.host;
import static io.parley.proxy.gateway.Gateway.http1;
import static io.parley.proxy.gateway.Gateway.listener;
import static io.parley.proxy.gateway.Gateway.routes;
import static io.parley.proxy.gateway.Gateway.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Any;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.SessionProtocol;
import io.envoyproxy.envoy.config.core.v3.SubstitutionFormatString;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.extensions.access_loggers.file.v3.FileAccessLog;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBAC;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A gateway that stands behind proxies which tell it where requests come from. */
class TrustedHopsTest {
    private static final EchoServer BACKEND = EchoServer.start("backend");
    private static final String LIST = "203.0.113.128, 203.0.113.10, 203.0.113.1";

    private static final String RULES = """
        rules {
          action: DENY
          policies { key: 'client' value {
            permissions { url_path { path { prefix: '/client' } } }
            principals { remote_ip { address_prefix: '203.0.113.10' prefix_len { value: 32 } } } } }
          policies { key: 'direct' value {
            permissions { url_path { path { prefix: '/direct' } } }
            principals { direct_remote_ip { address_prefix: '127.0.0.0' prefix_len { value: 8 } } } } }
          policies { key: 'source' value {
            permissions { url_path { path { prefix: '/source' } } }
            principals { source_ip { address_prefix: '203.0.113.0' prefix_len { value: 24 } } } } }
        }
        """;

    private final Gateway gateway = new Gateway();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @AfterEach
    void close() {
        gateway.close();
    }

    @AfterAll
    static void stop() {
        BACKEND.close();
    }

    /** The gateway trusts two proxies, one of them its client, and keeps out whom these rules are about. */
    @BeforeEach
    void open() {
        HttpConnectionManager.Builder manager = HttpConnectionManager.newBuilder()
                .setStatPrefix("x")
                .setXffNumTrustedHops(2)
                .setNormalizePath(com.google.protobuf.BoolValue.of(true));
        manager.getRdsBuilder().setRouteConfigName(HTTP + "/http");
        manager.addHttpFiltersBuilder()
                .setName("rbac")
                .setTypedConfig(Any.pack(read(RULES, RBAC.newBuilder()).build()));
        manager.addAccessLogBuilder()
                .setName("file")
                .setTypedConfig(Any.pack(FileAccessLog.newBuilder()
                        .setPath(log().toString())
                        .setLogFormat(SubstitutionFormatString.newBuilder()
                                .setTextFormatSource(io.envoyproxy.envoy.config.core.v3.DataSource.newBuilder()
                                        .setInlineString("%DOWNSTREAM_REMOTE_ADDRESS%"
                                                + " %DOWNSTREAM_DIRECT_REMOTE_ADDRESS_WITHOUT_PORT%\n")))
                        .build()));
        gateway.backend(http1("app"), BACKEND.port())
                .tell(ResourceType.ROUTE, routes(HTTP + "/http", host("*", to("/", "app"))))
                .tell(
                        ResourceType.LISTENER,
                        listener(HTTP)
                                .setDefaultFilterChain(
                                        FilterChain.newBuilder().addFilters(filter("http", manager.build())))
                                .build());
    }

    private Path log() {
        return folder.resolve("access.log");
    }

    private AggregatedHttpResponse ask(SessionProtocol protocol, String path, String list) {
        return Calls.send(
                protocol,
                gateway.port(),
                HttpMethod.GET,
                path,
                "",
                "x-forwarded-for",
                list,
                "x-forwarded-proto",
                "https",
                "x-forwarded-host",
                "forged.example");
    }

    @ParameterizedTest
    @EnumSource(names = {"H1C", "H2C"})
    void theirWordIsPassedOnWithTheClientOfTheConnection(SessionProtocol protocol) {
        AggregatedHttpResponse answer = ask(protocol, "/", LIST);
        assertThat(said(answer, "x-forwarded-for")).isEqualTo(LIST + ", 127.0.0.1");
        assertThat(said(answer, "x-forwarded-proto")).isEqualTo("https");
        assertThat(said(answer, "x-forwarded-host")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"H1C", "H2C"})
    void whoHasNotComeByThemIsNotBelieved(SessionProtocol protocol) {
        AggregatedHttpResponse answer = ask(protocol, "/", "203.0.113.10");
        assertThat(said(answer, "x-forwarded-for")).isEqualTo("127.0.0.1");
        assertThat(said(answer, "x-forwarded-proto")).isEqualTo("http");
    }

    @ParameterizedTest
    @EnumSource(names = {"H1C", "H2C"})
    void rulesKnowTheClientFromTheOneThatIsConnected(SessionProtocol protocol) {
        assertThat(ask(protocol, "/client", LIST).status().code()).isEqualTo(403);
        assertThat(ask(protocol, "/client", "203.0.113.10, 203.0.113.1, 203.0.113.1")
                        .status()
                        .code())
                .isEqualTo(200);
        assertThat(ask(protocol, "/direct", LIST).status().code()).isEqualTo(403);
        assertThat(ask(protocol, "/source", LIST).status().code()).isEqualTo(200);
    }

    @Test
    void requestsOfOneClientKeepTogether() {
        try (EchoServer other = EchoServer.start("other")) {
            Route.Builder kept = to("/", "app").toBuilder();
            kept.getRouteBuilder()
                    .addHashPolicyBuilder()
                    .getConnectionPropertiesBuilder()
                    .setSourceIp(true);
            gateway.backend(http1("app"), BACKEND.port(), other.port())
                    .tell(ResourceType.ROUTE, routes(HTTP + "/http", host("*", kept.build())));
            Set<String> servers = new HashSet<>();
            for (int i = 0; i < 64; i++) {
                String list = "203.0.113." + i + ", 10.0.0." + i;
                String server = said(ask(SessionProtocol.H1C, "/", list), "server");
                assertThat(said(ask(SessionProtocol.H1C, "/", list), "server")).isEqualTo(server);
                servers.add(server);
            }
            assertThat(servers).containsExactlyInAnyOrder("backend", "other");
        }
    }

    @Test
    void theLogNamesBoth() throws IOException {
        ask(SessionProtocol.H1C, "/", LIST);
        await().until(() -> Files.exists(log()) && !Files.readString(log()).isEmpty());
        assertThat(Files.readString(log())).isEqualTo("203.0.113.10:0 127.0.0.1\n");
    }
}
