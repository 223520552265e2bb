package io.parley.proxy.config.xds;

import static io.parley.proxy.config.xds.Resources.bytes;
import static io.parley.proxy.config.xds.Resources.filter;
import static io.parley.proxy.config.xds.Resources.outbound;
import static io.parley.proxy.config.xds.Resources.read;
import static io.parley.proxy.config.xds.Resources.toCluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.filters.http.cors.v3.CorsPolicy;
import io.envoyproxy.envoy.extensions.filters.http.fault.v3.HTTPFault;
import io.envoyproxy.envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBAC;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBACPerRoute;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.http.stateful_session.v3.StatefulSession;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.parley.xds.type.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is set and would not be done is refused by its path, in messages of which something else is done, and what is only said in more
 * words than needed is taken. Resources in the text form of protobuf.
 */
class ClosedSubsetTest {
    private static final String MATCH = "match { prefix: '/' } ";
    private static final String SHARE = "clusters { name: 'a' weight { value: 2 } ";
    private static final String COOKIE =
            "type.googleapis.com/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState";
    private static final String BUCKET = "token_bucket { max_tokens: 1 fill_interval { seconds: 1 } } ";
    private final XdsConfig config = new XdsConfig(Local.NOTHING, _ -> {});

    private static RouteConfiguration table(String name, Route route) {
        RouteConfiguration.Builder routes = RouteConfiguration.newBuilder().setName(name);
        routes.addVirtualHostsBuilder().setName("all").addDomains("*").addRoutes(route);
        return routes.build();
    }

    private static Route plain() {
        return read(MATCH + "route { cluster: 'a' }", Route.newBuilder()).build();
    }

    /** What is wrong with the second of two resources; the first is sound. */
    private String refusal(ResourceType type, Message good, Message bad) {
        Map<String, String> refused = config.change(type, "1", bytes(good, bad), List.of());
        assertThat(refused).doesNotContainKey("good");
        return refused.getOrDefault("bad", "");
    }

    private String ofRoute(Route route) {
        return refusal(ResourceType.ROUTE, table("good", plain()), table("bad", route));
    }

    private String ofManager(HttpConnectionManager.Builder manager) {
        FilterChain chain = FilterChain.newBuilder()
                .addFilters(filter("http", manager.build()))
                .build();
        return refusal(
                ResourceType.LISTENER,
                outbound("good", 0, toCluster("a").build()).build(),
                outbound("bad", 0, chain).build());
    }

    static Stream<Arguments> routes() {
        String share = "route { weighted_clusters { " + SHARE;
        return Stream.of(
                arguments(share + "typed_per_filter_config { key: 'x' } } } }", "clusters[0].typed_per_filter_config"),
                arguments(share + "metadata_match { } } } }", "weighted_clusters.clusters[0].metadata_match"),
                arguments(share + "host_rewrite_literal: 'x' } } }", "clusters[0].host_rewrite_literal"),
                arguments(share + "} runtime_key_prefix: 'x' } }", "weighted_clusters.runtime_key_prefix"),
                arguments(share + "} total_weight { value: 3 } } }", "weighted_clusters.total_weight: 3"),
                arguments("route { cluster: 'a' retry_policy { per_try_idle_timeout { } } }", "per_try_idle_timeout"),
                arguments("route { cluster: 'a' retry_policy { retry_priority { } } }", "retry_policy.retry_priority"),
                arguments(
                        "route { cluster: 'a' retry_policy { rate_limited_retry_back_off { } } }",
                        "retry_policy.rate_limited_retry_back_off"),
                arguments("route { cluster: 'a' request_mirror_policies { cluster_header: 'x' } }", "cluster_header"),
                arguments(
                        "route { cluster: 'a' request_mirror_policies { cluster: 'a' runtime_fraction { runtime_key:"
                                + " 'x' } } }",
                        "request_mirror_policies[0].runtime_fraction.runtime_key: x"));
    }

    static Stream<Arguments> moreRoutes() {
        return Stream.of(
                arguments("route { cluster: 'a' hash_policy { filter_state { key: 'x' } } }", "hash_policy[0].filter"),
                arguments("route { cluster: 'a' hash_policy { terminal: true } }", "hash_policy[0]: POLICYSPECIFIER"),
                arguments(
                        "route { cluster: 'a' hash_policy { connection_properties { } } }",
                        "hash_policy[0].connection_properties.source_ip: false"),
                arguments(
                        "route { cluster: 'a' hash_policy { header { header_name: 'x' regex_rewrite { } } } }",
                        "hash_policy[0].header.regex_rewrite"),
                arguments(
                        "route { cluster: 'a' max_stream_duration { grpc_timeout_header_max { } } }",
                        "max_stream_duration.grpc_timeout_header_max"),
                arguments("direct_response { status: 200 body { filename: '/x' } }", "direct_response.body.filename"),
                arguments(
                        "direct_response { status: 200 body { inline_bytes: '\\377' } }",
                        "direct_response.body.inline_bytes"),
                arguments(
                        "route { cluster: 'a' } request_headers_to_add { header { key: 'x' raw_value: 'y' } }",
                        "request_headers_to_add[0].header.raw_value"),
                arguments(
                        "route { cluster: 'a' regex_rewrite { pattern { google_re2 { max_program_size { } } } } }",
                        "regex_rewrite.pattern.google_re2.max_program_size"),
                arguments("match { runtime_fraction { runtime_key: 'x' } } route { cluster: 'a' }", "runtime_key: x"),
                arguments(
                        "match { headers { name: 'x' present_match: true treat_missing_header_as_empty: true } }"
                                + " route { cluster: 'a' }",
                        "match.headers[0].treat_missing_header_as_empty"));
    }

    @ParameterizedTest
    @MethodSource({"routes", "moreRoutes"})
    void refusesOfARoute(String text, String path) {
        assertThat(ofRoute(read(MATCH + text, Route.newBuilder()).build()))
                .contains("virtual_hosts[0].routes[0].")
                .contains(path);
    }

    static Stream<Arguments> policies() {
        return Stream.of(
                arguments(RBACPerRoute.newBuilder(), "rbac { matcher { } }", "rbac.matcher: not understood"),
                arguments(RBACPerRoute.newBuilder(), "rbac { shadow_matcher { } }", "rbac.shadow_matcher"),
                arguments(
                        RBACPerRoute.newBuilder(),
                        "rbac { rules { policies { key: 'p' value { condition { } } } } }",
                        "rbac.rules.policies[p].condition"),
                arguments(
                        RBACPerRoute.newBuilder(),
                        "rbac { rules { policies { key: 'p' value { permissions { not_rule { metadata { } } } } } } }",
                        "policies[p].permissions[0].not_rule.metadata"),
                arguments(HTTPFault.newBuilder(), "upstream_cluster: 'x'", "upstream_cluster"),
                arguments(HTTPFault.newBuilder(), "downstream_nodes: 'x'", "downstream_nodes"),
                arguments(HTTPFault.newBuilder(), "max_active_faults { value: 1 }", "max_active_faults"),
                arguments(HTTPFault.newBuilder(), "delay { header_delay { } }", "delay.header_delay"),
                arguments(HTTPFault.newBuilder(), "abort { header_abort { } }", "abort.header_abort"),
                arguments(HTTPFault.newBuilder(), "response_rate_limit { header_limit { } }", "header_limit"),
                arguments(LocalRateLimit.newBuilder(), BUCKET + "descriptors { }", "descriptors"),
                arguments(LocalRateLimit.newBuilder(), BUCKET + "stage: 1", "stage"),
                arguments(
                        LocalRateLimit.newBuilder(),
                        BUCKET + "filter_enabled { default_value { numerator: 50 } }",
                        "filter_enabled.default_value: 500000 of 1000000 (expected: 100 %)"),
                arguments(LocalRateLimit.newBuilder(), BUCKET + "filter_enforced { }", "filter_enforced.default_value"),
                arguments(CorsPolicy.newBuilder(), "shadow_enabled { }", "shadow_enabled"),
                arguments(CorsPolicy.newBuilder(), "filter_enabled { }", "filter_enabled.default_value"),
                arguments(CorsPolicy.newBuilder(), "allow_private_network_access { }", "allow_private_network_access"));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void refusesOfAPolicyOfARoute(Message.Builder policy, String text, String path) {
        Route route = plain().toBuilder()
                .putTypedPerFilterConfig("p", Any.pack(read(text, policy).build()))
                .build();
        assertThat(ofRoute(route)).contains("typed_per_filter_config[p].").contains(path);
    }

    static Stream<Arguments> filters() {
        return Stream.of(
                arguments(RBAC.newBuilder(), "matcher { }", "matcher: not understood"),
                arguments(Router.newBuilder(), "strict_check_headers: 'x'", "strict_check_headers"),
                arguments(StatefulSession.newBuilder(), "strict: true", "strict: not understood"),
                arguments(
                        StatefulSession.newBuilder(),
                        "session_state { name: 's' typed_config { type_url: '" + COOKIE + "' } }",
                        "session_state: set (expected: only in typed_per_filter_config of a route)"));
    }

    @ParameterizedTest
    @MethodSource("filters")
    void refusesOfAFilter(Message.Builder filter, String text, String path) {
        HttpConnectionManager.Builder manager = HttpConnectionManager.newBuilder();
        manager.setRouteConfig(table("r", plain()));
        manager.addHttpFiltersBuilder()
                .setName("f")
                .setTypedConfig(Any.pack(read(text, filter).build()));
        assertThat(ofManager(manager))
                .contains("filters[0].typed_config.http_filters[0].")
                .contains(path);
    }

    static Stream<Arguments> managers() {
        return Stream.of(
                arguments("rds { route_config_name: 'r' config_source { path: '/x' } }", "rds.config_source.path"),
                arguments("codec_type: HTTP3", "codec_type: HTTP3 (expected: AUTO, HTTP1 or HTTP2)"),
                arguments("upgrade_configs { upgrade_type: 'CONNECT' }", "upgrade_configs[0].upgrade_type: CONNECT"),
                arguments("http2_protocol_options { allow_connect: true }", "http2_protocol_options.allow_connect"),
                arguments(
                        "max_request_headers_kb { value: 8193 }", "max_request_headers_kb: 8193 (expected: 1 to 8192)"),
                arguments("max_request_headers_kb { value: 0 }", "max_request_headers_kb: 0 (expected: 1 to 8192)"),
                arguments(
                        "common_http_protocol_options { max_headers_count { value: 4294967295 } }",
                        "max_headers_count: 4294967295 (expected: 1 to 10000)"),
                arguments(
                        "http2_protocol_options { max_concurrent_streams { value: 2147483647 } }",
                        "http2_protocol_options.max_concurrent_streams: 2147483647 (expected: 1 to 10000)"));
    }

    @ParameterizedTest
    @MethodSource("managers")
    void refusesOfAManager(String text, String path) {
        HttpConnectionManager.Builder manager = HttpConnectionManager.newBuilder();
        manager.setRouteConfig(table("r", plain()));
        assertThat(ofManager(read(text, manager)))
                .contains("filter_chains[0].filters[0].typed_config.")
                .contains(path);
    }
}
