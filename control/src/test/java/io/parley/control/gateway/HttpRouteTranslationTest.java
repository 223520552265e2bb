package io.parley.control.gateway;

import static io.parley.control.gateway.Stage.BASE;
import static io.parley.control.gateway.Stage.route;
import static io.parley.control.gateway.Stage.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.route.v3.RedirectAction;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import io.parley.control.draft.Protos;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTPRoutes as messages, named after the conformance tests that they are needed for. */
class HttpRouteTranslationTest {
    private static final String BACKEND = "backendRefs: [{name: one, port: 8080}]";

    private static Stage stage(String... routes) {
        Stage stage = new Stage(BASE);
        for (String each : routes) {
            stage.apply(each);
        }
        return stage;
    }

    private static String rule(String fields) {
        return "rules:\n  -\n" + (fields + "\n" + BACKEND).indent(4);
    }

    private static RouteAction action(String fields) {
        return stage(route("HTTPRoute", "r", rule(fields))).onlyRoute().getRoute();
    }

    @Test
    void httpRouteSimpleSameNamespace() {
        Stage stage = stage(route("HTTPRoute", "r", "rules: [{" + BACKEND + "}]"));

        assertThat(stage.condition("HTTPRoute", "infra/r", "Accepted")).isEqualTo("True Accepted");
        assertThat(stage.onlyRoute().getMatch().getPrefix()).isEqualTo("/");
        assertThat(stage.listener("gateway:infra/edge:80")
                        .getDefaultFilterChain()
                        .getFiltersCount())
                .isEqualTo(1);
    }

    @Test
    void httpRoutePathMatchOrder() {
        String rules = """
            rules:
              - matches: [{path: {type: PathPrefix, value: /match}}]
                backendRefs: [{name: one, port: 8080}]
              - matches: [{path: {type: PathPrefix, value: /match/prefix/one}}, {path: {type: Exact, value: /match/exact}}]
                backendRefs: [{name: one, port: 8080}]
              - matches: [{path: {value: /match/prefix}}, {path: {type: RegularExpression, value: "/m.*"}}]
                backendRefs: [{name: one, port: 8080}]
            """;
        assertThat(stage(route("HTTPRoute", "r", rules)).routesOf("*"))
                .extracting(HttpRouteTranslationTest::path)
                .containsExactly("=/match/exact", "~/m.*", "/match/prefix/one", "/match/prefix", "/match");
    }

    @Test
    void httpRouteMatching_moreHeadersBeforeFewer_methodBeforeHeaders_oldestFirst() {
        String rules = """
            rules:
              - matches: [{headers: [{name: version, value: two}]}]
                backendRefs: [{name: one, port: 8080}]
              - matches: [{method: GET}]
                backendRefs: [{name: one, port: 8080}]
              - matches: [{headers: [{name: version, value: two}, {name: color, value: blue}], queryParams: [{name: a, value: b}]}]
                backendRefs: [{name: one, port: 8080}]
            """;
        Stage stage =
                stage(route("HTTPRoute", "zebra", "rules: [{" + BACKEND + "}]"), route("HTTPRoute", "ant", rules));

        assertThat(stage.routesOf("*"))
                .extracting(Route::getName)
                .containsExactly(
                        "HTTPRoute/infra/ant/rules[1]/matches[0]",
                        "HTTPRoute/infra/ant/rules[2]/matches[0]",
                        "HTTPRoute/infra/ant/rules[0]/matches[0]",
                        "HTTPRoute/infra/zebra/rules[0]/matches[0]");
    }

    @Test
    void httpRouteHostnameIntersection() {
        String gateway = """
            ---
            apiVersion: gateway.networking.k8s.io/v1
            kind: Gateway
            metadata: {name: edge, namespace: infra}
            spec:
              gatewayClassName: parley
              listeners:
                - {name: exact, port: 80, protocol: HTTP, hostname: very.specific.com}
                - {name: wild, port: 80, protocol: HTTP, hostname: "*.wildcard.io"}
            """;
        Stage stage = stage(
                gateway,
                route("HTTPRoute", "r", "hostnames: ['*.specific.com', foo.wildcard.io, wildcard.io]\n" + rule("")),
                route("HTTPRoute", "none", "hostnames: [other.com]\n" + rule("")));

        assertThat(stage.routesOf("very.specific.com")).hasSize(1);
        assertThat(stage.routesOf("foo.wildcard.io")).hasSize(1);
        assertThat(stage.routesOf("wildcard.io")).isEmpty();
        assertThat(stage.condition("HTTPRoute", "infra/none", "Accepted"))
                .isEqualTo("False NoMatchingListenerHostname");
        assertThat(stage.entry("infra/edge", "wild").path("attachedRoutes").asInt())
                .isEqualTo(1);
    }

    @Test
    void gatewayHttpListenerIsolation() {
        String gateway = """
            ---
            apiVersion: gateway.networking.k8s.io/v1
            kind: Gateway
            metadata: {name: edge, namespace: infra}
            spec:
              gatewayClassName: parley
              listeners:
                - {name: all, port: 80, protocol: HTTP}
                - {name: wild, port: 80, protocol: HTTP, hostname: "*.example.com"}
                - {name: foo, port: 80, protocol: HTTP, hostname: "*.foo.example.com"}
                - {name: abc, port: 80, protocol: HTTP, hostname: abc.foo.example.com}
            """;
        String sections = "parentRefs: [{name: edge, sectionName: all}]";
        Stage stage = stage(
                gateway,
                route("HTTPRoute", "r", "hostnames: [bar.com, '*.example.com', abc.foo.example.com]\n" + rule(""))
                        .replace("parentRefs: [{name: edge}]", sections));

        assertThat(stage.routesOf("bar.com")).hasSize(1);
        assertThat(stage.routesOf("*.example.com")).isEmpty();
        assertThat(stage.routesOf("abc.foo.example.com")).isEmpty();
        assertThat(stage.routes("gateway:infra/edge:80/http").getVirtualHostsList())
                .extracting(host -> host.getDomains(0))
                .contains("*.foo.example.com", "*");
    }

    @Test
    void httpRouteRedirectHostAndStatus() {
        String filter = "filters: [{type: RequestRedirect, requestRedirect: {hostname: example.org, statusCode: 301}}]";
        RedirectAction redirect = stage(route("HTTPRoute", "r", "rules: [{" + filter + "}]"))
                .onlyRoute()
                .getRedirect();

        assertThat(redirect.getHostRedirect()).isEqualTo("example.org");
        assertThat(redirect.getResponseCode()).isEqualTo(RedirectAction.RedirectResponseCode.MOVED_PERMANENTLY);
        assertThat(redirect.getPortRedirect()).isEqualTo(80);
    }

    @Test
    void httpRouteRedirectScheme_leavesThePortToTheScheme() {
        String filter = "filters: [{type: RequestRedirect, requestRedirect: {scheme: https}}]";
        RedirectAction redirect = stage(route("HTTPRoute", "r", "rules: [{" + filter + "}]"))
                .onlyRoute()
                .getRedirect();

        assertThat(redirect.getSchemeRedirect()).isEqualTo("https");
        assertThat(redirect.getPortRedirect()).isZero();
    }

    @Test
    void httpRouteRewritePath() {
        RouteAction prefix = action("""
            matches: [{path: {value: /strip}}]
            filters: [{type: URLRewrite, urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}}]\
            """);
        RouteAction other = action("""
            matches: [{path: {value: /prefix/one}}]
            filters: [{type: URLRewrite, urlRewrite: {hostname: one.example.org, path: {type: ReplacePrefixMatch, replacePrefixMatch: /one/}}}]\
            """);
        RouteAction full = action("""
            matches: [{path: {value: /full}}]
            filters: [{type: URLRewrite, urlRewrite: {path: {type: ReplaceFullPath, replaceFullPath: /one}}}]\
            """);

        assertThat(prefix.getRegexRewrite().getSubstitution()).isEqualTo("/\\1");
        assertThat("/strip/three"
                        .replaceAll(prefix.getRegexRewrite().getPattern().getRegex(), "/$1"))
                .isEqualTo("/three");
        assertThat(other.getPrefixRewrite()).isEqualTo("/one");
        assertThat(other.getHostRewriteLiteral()).isEqualTo("one.example.org");
        assertThat(full.getRegexRewrite().getSubstitution()).isEqualTo("/one");
    }

    @Test
    void httpRouteRequestHeaderModifier_andOfBackendsOnlyTheirs() {
        String rules = """
            rules:
              - filters: [{type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: X-Set, value: a}], remove: [X-Gone]}}]
                backendRefs:
                  - {name: one, port: 8080, weight: 3, filters: [{type: RequestHeaderModifier, requestHeaderModifier: {add: [{name: X-One, value: b}]}}]}
            """;
        Route found = stage(route("HTTPRoute", "r", rules)).onlyRoute();

        assertThat(found.getRequestHeadersToAdd(0).getHeader().getKey()).isEqualTo("X-Set");
        assertThat(found.getRequestHeadersToRemoveList()).containsExactly("X-Gone");
        assertThat(found.getRoute()
                        .getWeightedClusters()
                        .getClusters(0)
                        .getRequestHeadersToAdd(0)
                        .getHeader()
                        .getKey())
                .isEqualTo("X-One");
    }

    @Test
    void httpRouteRequestMirror_anInvalidOneIsDroppedAndTold() {
        String rules = """
            rules:
              - filters:
                  - {type: RequestMirror, requestMirror: {backendRef: {name: one, port: 8080}, fraction: {numerator: 1, denominator: 4}}}
                  - {type: RequestMirror, requestMirror: {backendRef: {name: missing, port: 80}}}
                backendRefs: [{name: one, port: 8080}]
            """;
        Stage stage = stage(route("HTTPRoute", "r", rules));
        RouteAction action = stage.onlyRoute().getRoute();

        assertThat(action.getRequestMirrorPoliciesList())
                .singleElement()
                .satisfies(mirror -> assertThat(
                                mirror.getRuntimeFraction().getDefaultValue().getNumerator())
                        .isEqualTo(250_000));
        assertThat(action.getCluster()).isEqualTo("infra/one:8080|http1");
        assertThat(stage.condition("HTTPRoute", "infra/r", "ResolvedRefs")).isEqualTo("False BackendNotFound");
    }

    @ParameterizedTest
    @CsvSource({"/xyz, /xyz/", "/xyz/, /xyz/", "xyz, /xyz/"})
    void thePrefixThatIsOnlyASlashIsReplacedByAWholePath(String replacement, String written) {
        String path = "path: {type: ReplacePrefixMatch, replacePrefixMatch: " + replacement + "}";
        assertThat(action("filters: [{type: URLRewrite, urlRewrite: {" + path + "}}]")
                        .getPrefixRewrite())
                .isEqualTo(written);

        String redirect = "rules: [{filters: [{type: RequestRedirect, requestRedirect: {" + path + "}}]}]";
        assertThat(stage(route("HTTPRoute", "r", redirect))
                        .onlyRoute()
                        .getRedirect()
                        .getPrefixRewrite())
                .isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "\"\""})
    void thePrefixThatIsOnlyASlashReplacedByNothingStays(String replacement) {
        RouteAction action = action("filters: [{type: URLRewrite, urlRewrite: {path:"
                + " {type: ReplacePrefixMatch, replacePrefixMatch: " + replacement + "}}}]");

        assertThat("/a/b".replaceAll(action.getRegexRewrite().getPattern().getRegex(), "/$1"))
                .isEqualTo("/a/b");
    }

    @Test
    void zeroIsNoTimeout_asIsNothing() {
        RouteAction zero = action("timeouts: {request: 0s, backendRequest: 0s}");
        RouteAction nothing = action("");

        assertThat(zero.getTimeout()).isEqualTo(Protos.duration(Duration.ZERO));
        assertThat(zero.hasRetryPolicy()).isFalse();
        assertThat(nothing.getTimeout()).isEqualTo(Protos.duration(Duration.ZERO));
    }

    @Test
    void httpRouteTimeoutsRetriesAndSessions() {
        RouteAction action = action("""
            timeouts: {request: 500ms, backendRequest: 100ms}
            retry: {codes: [503], attempts: 2, backoff: 10ms}\
            """);
        Route session = stage(route("HTTPRoute", "r", rule("sessionPersistence: {sessionName: s}")))
                .onlyRoute();

        assertThat(action.getTimeout()).isEqualTo(Protos.duration(Duration.ofMillis(500)));
        assertThat(action.getRetryPolicy().getPerTryTimeout()).isEqualTo(Protos.duration(Duration.ofMillis(100)));
        assertThat(action.getRetryPolicy().getNumRetries().getValue()).isEqualTo(2);
        assertThat(action.getRetryPolicy().getRetriableStatusCodesList()).containsExactly(503);
        assertThat(session.getTypedPerFilterConfigMap()).containsKey("envoy.filters.http.stateful_session");
    }

    @Test
    void timesOfSessionsAreTold() {
        Route session = stage(route(
                        "HTTPRoute",
                        "r",
                        rule("sessionPersistence: {type: Header, absoluteTimeout: 1h, idleTimeout: 10m}")))
                .onlyRoute();

        assertThat(session.getMetadata())
                .isEqualTo(Protos.extras(Map.of("session-life-millis", "3600000", "session-idle-millis", "600000")));
    }

    @Test
    void httpRouteCors() {
        Route found = stage(route("HTTPRoute", "r", rule("""
            filters:
              - type: CORS
                cors: {allowOrigins: ["https://*.a.example", "*"], allowMethods: [GET], allowCredentials: true}\
            """))).onlyRoute();

        assertThat(found.getTypedPerFilterConfigMap().get("envoy.filters.http.cors"))
                .isNotNull()
                .satisfies(any -> assertThat(any.getTypeUrl()).endsWith("CorsPolicy"));
    }

    @Test
    void httpRouteNoBackendRefs_isAnsweredWith500AndResolved() {
        Stage stage = stage(route("HTTPRoute", "r", "rules: [{matches: [{path: {value: /}}]}]"));

        assertThat(stage.onlyRoute().getDirectResponse().getStatus()).isEqualTo(500);
        assertThat(stage.condition("HTTPRoute", "infra/r", "ResolvedRefs")).isEqualTo("True ResolvedRefs");
    }

    @Test
    void aFilterThatWeDoNotHaveIsNotSkipped() {
        String rules = """
            rules:
              - matches: [{path: {value: /guarded}}]
                filters: [{type: ExtensionRef, extensionRef: {group: a.example, kind: Guard, name: g}}]
                backendRefs: [{name: one, port: 8080}]
              - backendRefs: [{name: one, port: 8080}]
            """;
        Stage stage = stage(route("HTTPRoute", "r", rules));

        assertThat(stage.routesOf("*").getFirst().getDirectResponse().getStatus())
                .isEqualTo(500);
        assertThat(stage.condition("HTTPRoute", "infra/r", "Accepted")).isEqualTo("True Accepted");
        assertThat(stage.condition("HTTPRoute", "infra/r", "PartiallyInvalid")).isEqualTo("True UnsupportedValue");
        assertThat(stage.message("HTTPRoute", "infra/r", "PartiallyInvalid")).startsWith("Dropped Rule 0");
    }

    @Test
    void grpcRoutesMatchCallsByServiceAndMethod() {
        String rules = """
            rules:
              - matches:
                  - {method: {service: a.Echo, method: Say}}
                  - {method: {service: a.Echo}}
                  - {method: {method: Say}}
                backendRefs: [{name: one, port: 8080}]
            """;
        List<Route> routes = stage(route("GRPCRoute", "r", rules)).routesOf("*");

        assertThat(routes)
                .extracting(HttpRouteTranslationTest::path)
                .containsExactly("=/a.Echo/Say", "~/[^/]+/Say", "/a.Echo");
        assertThat(routes).allSatisfy(each -> {
            assertThat(each.getMatch().hasGrpc()).isTrue();
            assertThat(each.getRoute().getCluster()).isEqualTo("infra/one:8080|h2c");
        });
    }

    @Test
    void aThousandMatchesOfOneRouteAreRefusedBeforeTheyAreStored() {
        String match = "{path: {value: /a}}";
        String rules = "rules: [{matches: [" + String.join(",", java.util.Collections.nCopies(65, match)) + "]}]";

        org.assertj.core.api.Assertions.assertThatThrownBy(() -> stage(route("HTTPRoute", "r", rules)))
                .hasMessageContaining("65 items (expected: at most 64)");
    }

    @Test
    void tcpRoutesWithWeights() {
        String gateway = BASE.replace("protocol: HTTP", "protocol: TCP");
        String rules =
                "rules: [{backendRefs: [{name: one, port: 8080, weight: 2}, {name: two, port: 1}, {name: no, port: 1,"
                        + " weight: 0}]}]";
        Stage stage = new Stage(gateway, service("infra", "two", "{port: 1}"), route("TCPRoute", "r", rules));

        assertThat(stage.listener("gateway:infra/edge:80")
                        .getDefaultFilterChain()
                        .getFilters(0)
                        .getTypedConfig()
                        .toString())
                .contains("infra/one:8080|tcp", "infra/two:1|tcp")
                .doesNotContain("broken");
    }

    private static String path(Route route) {
        var match = route.getMatch();
        return switch (match.getPathSpecifierCase()) {
            case PATH -> "=" + match.getPath();
            case SAFE_REGEX -> "~" + match.getSafeRegex().getRegex();
            case PREFIX -> match.getPrefix();
            default -> match.getPathSeparatedPrefix();
        };
    }
}
