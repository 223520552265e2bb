package io.parley.proxy.config.xds;

import static io.parley.proxy.config.xds.Resources.bytes;
import static io.parley.proxy.config.xds.Resources.filter;
import static io.parley.proxy.config.xds.Resources.outbound;
import static io.parley.proxy.config.xds.Resources.read;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.filters.http.cors.v3.CorsPolicy;
import io.envoyproxy.envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate;
import io.parley.xds.type.ResourceType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What control planes say although it is done anyway, or harms nobody if it is not, is no reason to refuse a resource. */
class SaidAnywayTest {
    private static final String SESSION = "envoy.filters.http.stateful_session";
    private static final String ALL = " { runtime_key: 'x' default_value { numerator: 100 } } ";

    private final XdsConfig config = new XdsConfig(Local.NOTHING, _ -> {});

    private static VirtualHost.Builder host(String route) {
        return read(
                "name: 'all' domains: '*' routes { match { prefix: '/' } " + route + " }", VirtualHost.newBuilder());
    }

    private String refusal(VirtualHost.Builder host) {
        RouteConfiguration routes = RouteConfiguration.newBuilder()
                .setName("r")
                .addVirtualHosts(host)
                .build();
        return config.change(ResourceType.ROUTE, "1", bytes(routes), List.of()).getOrDefault("r", "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "route { weighted_clusters { clusters { name: 'a' weight { value: 2 } } total_weight { value: 2 } } }",
                "route { cluster: 'a' hash_policy { header { header_name: 'x' } terminal: true } }",
                "route { cluster: 'a' hash_policy { connection_properties { source_ip: true } } }",
                "route { cluster: 'a' request_mirror_policies { cluster: 'b' trace_sampled { value: true } } }",
                "route { cluster: 'a' retry_policy { retry_on: '5xx' host_selection_retry_max_attempts: 5 } }",
                "route { cluster: 'a' regex_rewrite { pattern { regex: 'a' google_re2 { } } substitution: 'b' } }",
                "route { cluster: 'a' } request_headers_to_add { header { key: 'x' } keep_empty_value: true }",
                "direct_response { status: 200 body { inline_bytes: 'caf\\303\\251' } }"
            })
    void inRoutes(String route) {
        assertThat(refusal(host(route))).isEmpty();
    }

    /** What Envoy would call empty, and not what is looked for, is missing here as well. */
    @Test
    void inConditionsOnFields() {
        assertThat(refusal(read(
                        "name: 'all' domains: '*' routes { match { prefix: '/' headers { name: 'x' invert_match: true"
                                + " treat_missing_header_as_empty: true string_match { exact: 'y' } } }"
                                + " route { cluster: 'a' } }",
                        VirtualHost.newBuilder())))
                .isEmpty();
    }

    @Test
    void inPolicies() {
        LocalRateLimit.Builder limit = read(
                "stat_prefix: 'x' token_bucket { max_tokens: 1 fill_interval { seconds: 1 } } filter_enabled" + ALL
                        + "filter_enforced" + ALL,
                LocalRateLimit.newBuilder());
        CorsPolicy.Builder cors = read("filter_enabled" + ALL, CorsPolicy.newBuilder());
        VirtualHost.Builder host = host("route { cluster: 'a' }")
                .putTypedPerFilterConfig("limit", Any.pack(limit.build()))
                .putTypedPerFilterConfig("cors", Any.pack(cors.build()));
        host.getRoutesBuilder(0)
                .getRouteBuilder()
                .getRetryPolicyBuilder()
                .addRetryHostPredicateBuilder()
                .setName("previous")
                .setTypedConfig(Any.pack(PreviousHostsPredicate.getDefaultInstance()));
        assertThat(refusal(host)).isEmpty();
    }

    /** They are a route's, under one name: elsewhere nobody would keep them. */
    @Test
    void butSessionsHaveTheirPlace() {
        StatefulSessionPerRoute none =
                StatefulSessionPerRoute.newBuilder().setDisabled(true).build();
        VirtualHost.Builder right = host("route { cluster: 'a' }");
        right.getRoutesBuilder(0).putTypedPerFilterConfig(SESSION, Any.pack(none));
        assertThat(refusal(right)).isEmpty();
        VirtualHost.Builder elsewhere = host("route { cluster: 'a' }");
        elsewhere.getRoutesBuilder(0).putTypedPerFilterConfig("mine", Any.pack(none));
        String expected = "a session (expected: in a route, under " + SESSION + ")";
        assertThat(refusal(elsewhere))
                .contains("virtual_hosts[0].routes[0].typed_per_filter_config[mine]: " + expected);
        assertThat(refusal(host("route { cluster: 'a' }").putTypedPerFilterConfig(SESSION, Any.pack(none))))
                .contains("virtual_hosts[0].typed_per_filter_config[" + SESSION + "]: " + expected);
    }

    @Test
    void inManagers() {
        HttpConnectionManager.Builder manager = read(
                "codec_type: HTTP2 upgrade_configs { upgrade_type: 'WebSocket' } max_request_headers_kb { value: 96 }"
                        + " rds { route_config_name: 'r' config_source { ads { } resource_api_version: V3"
                        + " initial_fetch_timeout { seconds: 1 } } }",
                HttpConnectionManager.newBuilder());
        manager.addHttpFiltersBuilder()
                .setName("router")
                .setTypedConfig(Any.pack(read("suppress_envoy_headers: true dynamic_stats { }", Router.newBuilder())
                        .build()));
        FilterChain chain = FilterChain.newBuilder()
                .addFilters(filter("http", manager.build()))
                .build();
        assertThat(config.change(
                        ResourceType.LISTENER,
                        "1",
                        bytes(outbound("outbound:a", 0, chain).build()),
                        List.of()))
                .isEmpty();
    }
}
