package io.parley.proxy.config.xds;

import static io.parley.proxy.config.xds.Resources.bytes;
import static io.parley.proxy.config.xds.Resources.read;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.parley.xds.type.ResourceType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a control plane writes into messages cannot make others of them. */
class WireTextTest {
    private final XdsConfig config = new XdsConfig(Local.NOTHING, _ -> {});

    private Map<String, String> refused(ResourceType type, Message resource) {
        return config.change(type, "1", bytes(resource), List.of());
    }

    private Map<String, String> routes(String route) {
        return refused(
                ResourceType.ROUTE,
                read(
                                "name: 'r' virtual_hosts { name: 'all' domains: '*' routes { match { prefix: '/' } "
                                        + route + " } }",
                                RouteConfiguration.newBuilder())
                        .build());
    }

    private static String session(String state) {
        return "route { cluster: 'a' } typed_per_filter_config { key: 'envoy.filters.http.stateful_session' value {"
                + " [type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute] {"
                + " stateful_session { session_state { name: 'x' typed_config {"
                + " [type.googleapis.com/envoy.extensions.http.stateful_session." + state + "} } } } } } }";
    }

    private static String cors(String words) {
        return "route { cluster: 'a' } typed_per_filter_config { key: 'envoy.filters.http.cors' value {"
                + " [type.googleapis.com/envoy.extensions.filters.http.cors.v3.CorsPolicy] { " + words + " } } }";
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\\r\\nb", "a\\nb", "a\\000b", "a\\033[31mb", "a b", "a#b", "a\\177b", "\\303\\244"})
    void aTextThatEndsALineOrAWordIsRefusedWhereverItIsSent(String text) {
        Map.of(
                        "route.host_rewrite_literal", "route { cluster: 'a' host_rewrite_literal: '%s' }",
                        "route.prefix_rewrite", "route { cluster: 'a' prefix_rewrite: '/%s' }",
                        "route.regex_rewrite.substitution",
                                "route { cluster: 'a' regex_rewrite { pattern { regex: 'a' } substitution: '/%s' } }",
                        "redirect.path_redirect", "redirect { path_redirect: '/%s' }",
                        "redirect.prefix_rewrite", "redirect { prefix_rewrite: '/%s' }",
                        "redirect.host_redirect", "redirect { host_redirect: '%s' }",
                        "redirect.scheme_redirect", "redirect { scheme_redirect: '%s' }",
                        "route.hash_policy[0].cookie.path",
                                "route { cluster: 'a' hash_policy { cookie { name: 'c' path: '/%s' } } }")
                .forEach((path, route) -> assertThat(
                                routes(route.formatted(text)).get("r"))
                        .as(path)
                        .contains("routes[0]." + path + ":"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\\r\\nb", "a b", "a:b", "a\\000", "a/b", "a;b"})
    void aNameThatIsNoWordIsRefused(String text) {
        Map.of(
                        "request_headers_to_add[0].header.key",
                                "route { cluster: 'a' } request_headers_to_add { header { key: '%s' value: 'v' } }",
                        "request_headers_to_remove", "route { cluster: 'a' } request_headers_to_remove: '%s'",
                        "route.hash_policy[0].cookie.name",
                                "route { cluster: 'a' hash_policy { cookie { name: '%s' path: '/' } } }",
                        "allow_methods", cors("allow_methods: 'GET,%s'"),
                        "allow_headers", cors("allow_headers: 'x,%s'"),
                        "expose_headers", cors("expose_headers: '%s'"),
                        "session_state.name", session("header.v3.HeaderBasedSessionState] { name: '%s' "),
                        "session_state.name ", session("cookie.v3.CookieBasedSessionState] { cookie { name: '%s' } "))
                .forEach((path, route) -> assertThat(routes(route.formatted(text)))
                        .as(path)
                        .hasEntrySatisfying("r", why -> assertThat(why).contains("expected: ")));
    }

    @Test
    void aSessionIsNotKeptInWhatFramesAMessage() {
        for (String name : List.of("content-length", "Transfer-Encoding", "connection")) {
            assertThat(routes(session("header.v3.HeaderBasedSessionState] { name: '" + name + "' "))
                            .get("r"))
                    .contains("frame a message");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 99, 100, 101, 199, 600, 70_000})
    void aStatusThatIsNoLastAnswerIsRefused(int status) {
        assertThat(routes("direct_response { status: " + status + " }").get("r"))
                .contains("routes[0].direct_response.status: " + status + " (expected: 200 to 599)");
    }

    /** It would be found out with the first request. */
    @ParameterizedTest
    @CsvSource({"\\\\2", "\\\\", "/a\\\\b"})
    void aSubstitutionForAGroupThatThereIsNotIsRefused(String text) {
        assertThat(routes("route { cluster: 'a' regex_rewrite { pattern { regex: '(a)' } substitution: '" + text
                        + "' } }"))
                .containsOnlyKeys("r");
    }

    @Test
    void whatIsUsualIsTaken() {
        assertThat(List.of(
                        routes("route { cluster: 'a' host_rewrite_literal: 'a.example:8443' prefix_rewrite:"
                                + " '/b?c=d%20' }"),
                        routes("route { cluster: 'a' host_rewrite_literal: '[::1]:80' }"),
                        routes("route { cluster: 'a' regex_rewrite { pattern { regex: '^/(.*)$' }"
                                + " substitution: '/x/\\\\1$\\\\\\\\' } }"),
                        routes("redirect { path_redirect: '/b?c' scheme_redirect: 'https' host_redirect:"
                                + " 'b.example' }"),
                        routes("redirect { path_redirect: '' }"),
                        routes("direct_response { status: 204 body { inline_string: 'two\\nlines' } }"),
                        routes("route { cluster: 'a' } request_headers_to_add { header { key: 'x' value: 'a\\tb' } }"),
                        routes(cors("allow_methods: 'GET, POST' allow_headers: '*' expose_headers: ''"))))
                .allSatisfy(refused -> assertThat(refused).isEmpty());
    }

    @Test
    void healthChecksAndTracersSendNothingElseEither() {
        Map.of(
                        "http_health_check.path", "http_health_check { path: '/a b' }",
                        "http_health_check.host", "http_health_check { path: '/' host: 'a b' }",
                        "grpc_health_check.authority", "grpc_health_check { authority: 'a b' }")
                .forEach((path, check) -> assertThat(refused(
                                        ResourceType.CLUSTER,
                                        read(
                                                        "name: 'c' type: STATIC health_checks { timeout { seconds: 1 } interval { seconds: 1 } %s }"
                                                                .formatted(check),
                                                        Cluster.newBuilder())
                                                .build())
                                .get("c"))
                        .contains("health_checks[0]." + path + ": "));
    }

    /** Logs and pages show the names of things. */
    @Test
    void noNameHasAControlCharacter() {
        assertThat(refused(
                                ResourceType.CLUSTER,
                                Cluster.newBuilder().setName("a\033b").build())
                        .values())
                .singleElement()
                .asString()
                .contains("name: ")
                .contains("(expected: no control character)")
                .doesNotContain("\033");
        assertThat(refused(
                                ResourceType.CLUSTER,
                                Cluster.newBuilder()
                                        .setName("c")
                                        .setMetadata(Resources.extras(Map.of("tls", "a\0b")))
                                        .build())
                        .get("c"))
                .contains("metadata[io.parley].tls: a\\u0000b (expected: no control character)");
        assertThat(refused(
                                ResourceType.LISTENER,
                                Listener.newBuilder().setName("a\r\nb").build())
                        .values())
                .singleElement()
                .asString()
                .contains("no control character")
                .doesNotContain("\n");
    }
}
