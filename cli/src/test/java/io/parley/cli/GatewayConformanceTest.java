package io.parley.cli;

import static io.parley.cli.GatewayBed.Request.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import io.parley.cli.GatewayBed.Request;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole way, from manifests to answers: the conformance suite's tests of GATEWAY-HTTP, with its manifests and assertions in spirit. Each test has a host name of its own, so that none is in another's way.
 */
class GatewayConformanceTest {
    private static final int SAME = GatewayBed.freePort();
    private static final int ALL = GatewayBed.freePort();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path data;

    @SuppressWarnings("NullAway.Init")
    private static GatewayBed bed;

    @BeforeAll
    static void start() {
        bed = new GatewayBed(data);
        for (String name : new String[] {"v1", "v2", "v3"}) {
            bed.service("infra", name, "8080", "8081=kubernetes.io/h2c", "8082=kubernetes.io/ws");
        }
        bed.service("web-backend", "web", "8080");
        bed.gateway("same", "- {name: http, port: %d, protocol: HTTP}".formatted(SAME));
        bed.gateway(
                "all",
                "- {name: http, port: %d, protocol: HTTP, allowedRoutes: {namespaces: {from: All}}}".formatted(ALL));
    }

    @AfterAll
    static void stop() {
        bed.close();
    }

    private static void route(String name, String parent, String rules) {
        route("infra", name, "{name: " + parent + "}", rules);
    }

    private static void route(String namespace, String name, String parent, String rules) {
        bed.apply("""
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: %2$s, namespace: %1$s}
            spec:
              hostnames: [%2$s.example]
              parentRefs: [%3$s]
              rules:
            %4$s\
            """.formatted(namespace, name, parent, rules.indent(4)));
    }

    @Test
    void httpRouteSimpleSameNamespace() {
        route("simple", "same", "- backendRefs: [{name: v1, port: 8080}]");

        bed.expectBackend(get(SAME, "simple.example", "/"), "v1");
        assertThat(bed.conditions("httproutes", "infra", "simple"))
                .containsExactly("Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs");
    }

    @Test
    void httpRouteCrossNamespace() {
        route("web-backend", "cross", "{name: all, namespace: infra}", "- backendRefs: [{name: web, port: 8080}]");

        bed.expectBackend(get(ALL, "cross.example", "/"), "web");
    }

    @Test
    void httpRouteInvalidCrossNamespaceParentRef() {
        route("web-backend", "far", "{name: same, namespace: infra}", "- backendRefs: [{name: web, port: 8080}]");

        bed.await("status")
                .untilAsserted(() -> assertThat(bed.conditions("httproutes", "web-backend", "far"))
                        .contains("Accepted=False/NotAllowedByListeners"));
        bed.expectStatus(get(SAME, "far.example", "/"), 404);
    }

    @Test
    void httpRouteExactPathMatching() {
        route("exact", "same", """
            - {matches: [{path: {type: Exact, value: /one}}], backendRefs: [{name: v1, port: 8080}]}
            - {matches: [{path: {type: Exact, value: /two}}], backendRefs: [{name: v2, port: 8080}]}
            """);

        bed.expectBackend(get(SAME, "exact.example", "/one"), "v1");
        bed.expectBackend(get(SAME, "exact.example", "/two"), "v2");
        bed.expectStatus(get(SAME, "exact.example", "/"), 404);
        bed.expectStatus(get(SAME, "exact.example", "/one/example"), 404);
    }

    @Test
    void httpRouteHeaderMatching() {
        route("header", "same", """
            - {matches: [{headers: [{name: version, value: one}]}], backendRefs: [{name: v1, port: 8080}]}
            - {matches: [{headers: [{name: version, value: two}, {name: color, value: orange}]}], backendRefs: [{name: v2, port: 8080}]}
            """);

        Request request = get(SAME, "header.example", "/");
        bed.expectBackend(request.with("Version", "one"), "v1");
        bed.expectBackend(request.with("version", "two").with("Color", "orange"), "v2");
        bed.expectStatus(request.with("version", "two"), 404);
        bed.expectStatus(request, 404);
    }

    @Test
    void httpRouteMatching_andPathMatchOrder() {
        route("order", "same", """
            - {matches: [{path: {value: /match}}], backendRefs: [{name: v3, port: 8080}]}
            - {matches: [{path: {type: Exact, value: /match/exact}}], backendRefs: [{name: v1, port: 8080}]}
            - {matches: [{path: {value: /match/prefix/}}], backendRefs: [{name: v2, port: 8080}]}
            """);

        bed.expectBackend(get(SAME, "order.example", "/match/exact"), "v1");
        bed.expectBackend(get(SAME, "order.example", "/match/prefix"), "v2");
        bed.expectBackend(get(SAME, "order.example", "/match/prefix/x"), "v2");
        bed.expectBackend(get(SAME, "order.example", "/match/prefixes"), "v3");
        bed.expectStatus(get(SAME, "order.example", "/matching"), 404);
    }

    @Test
    void httpRouteMatchingAcrossRoutes() {
        route(
                "across",
                "same",
                "- {matches: [{headers: [{name: version, value: two}]}], backendRefs: [{name: v2, port: 8080}]}");
        bed.apply("""
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: across-2, namespace: infra}
            spec:
              hostnames: [across.example]
              parentRefs: [{name: same}]
              rules: [{backendRefs: [{name: v1, port: 8080}]}]
            """);

        bed.expectBackend(get(SAME, "across.example", "/"), "v1");
        bed.expectBackend(get(SAME, "across.example", "/").with("version", "two"), "v2");
    }

    @Test
    void httpRouteMethodAndQueryParamMatching() {
        route("method", "same", """
            - {matches: [{method: POST}], backendRefs: [{name: v1, port: 8080}]}
            - {matches: [{queryParams: [{name: animal, value: whale}]}], backendRefs: [{name: v2, port: 8080}]}
            """);

        bed.expectBackend(get(SAME, "method.example", "/").by(HttpMethod.POST), "v1");
        bed.expectBackend(get(SAME, "method.example", "/?animal=whale"), "v2");
        bed.expectStatus(get(SAME, "method.example", "/"), 404);
    }

    @Test
    void httpRouteInvalidNonExistentBackendRef_andUnknownKind() {
        route("missing", "same", "- backendRefs: [{name: nope, port: 8080}]");
        route("kind", "same", "- backendRefs: [{kind: NonExistent, name: nope, port: 8080}]");

        bed.expectStatus(get(SAME, "missing.example", "/"), 500);
        bed.expectStatus(get(SAME, "kind.example", "/"), 500);
        assertThat(bed.conditions("httproutes", "infra", "missing"))
                .containsExactly("Accepted=True/Accepted", "ResolvedRefs=False/BackendNotFound");
        assertThat(bed.conditions("httproutes", "infra", "kind")).contains("ResolvedRefs=False/InvalidKind");
    }

    @Test
    void httpRouteNoBackendRefs() {
        route("none", "same", "- matches: [{path: {value: /}}]");

        bed.expectStatus(get(SAME, "none.example", "/"), 500);
        assertThat(bed.conditions("httproutes", "infra", "none")).contains("ResolvedRefs=True/ResolvedRefs");
    }

    @Test
    void httpRouteReferenceGrant_andPartiallyInvalid() {
        route("grant", "same", "- backendRefs: [{name: web, namespace: web-backend, port: 8080}]");
        bed.expectStatus(get(SAME, "grant.example", "/"), 500);
        assertThat(bed.conditions("httproutes", "infra", "grant")).contains("ResolvedRefs=False/RefNotPermitted");

        bed.apply("""
            apiVersion: gateway.networking.k8s.io/v1beta1
            kind: ReferenceGrant
            metadata: {name: routes, namespace: web-backend}
            spec:
              from: [{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: infra}]
              to: [{group: "", kind: Service, name: web}]
            """);
        bed.expectBackend(get(SAME, "grant.example", "/"), "web");

        assertThat(bed.parley("delete", "referencegrants", "routes", "-n", "web-backend")
                        .exit())
                .isZero();
        bed.expectStatus(get(SAME, "grant.example", "/"), 500);
    }

    @Test
    void httpRouteWeight() {
        route("weight", "same", """
            - backendRefs:
                - {name: v1, port: 8080, weight: 70}
                - {name: v2, port: 8080, weight: 30}
                - {name: v3, port: 8080, weight: 0}
            """);
        Request request = get(SAME, "weight.example", "/");
        bed.expectStatus(request, 200);

        Map<String, Integer> seen = new TreeMap<>();
        for (int at = 0; at < 100; at++) {
            seen.merge(GatewayBed.echo(bed.send(request)).path("pod").asText(), 1, Integer::sum);
        }
        assertThat(seen).isEqualTo(Map.of("v1", 70, "v2", 30));
    }

    @Test
    void httpRouteRequestHeaderModifier_andResponseHeaderModifier() {
        route("modify", "same", """
            - filters:
                - {type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: x-set, value: new}], add: [{name: x-add, value: more}], remove: [x-gone]}}
                - {type: ResponseHeaderModifier, responseHeaderModifier: {set: [{name: x-answer, value: "yes"}]}}
              backendRefs: [{name: v1, port: 8080}]
            """);

        Request request = get(SAME, "modify.example", "/")
                .with("x-set", "old")
                .with("x-add", "some")
                .with("x-gone", "here");
        bed.expect(request, answer -> {
            var headers = GatewayBed.echo(answer).path("headers");
            assertThat(headers.path("x-set").asText()).isEqualTo("new");
            assertThat(headers.path("x-add").asText().replace(" ", "")).isEqualTo("some,more");
            assertThat(headers.has("x-gone")).isFalse();
            assertThat(answer.headers().get("x-answer")).isEqualTo("yes");
        });
    }

    @Test
    void httpRouteRedirectHostAndStatus_andScheme() {
        route("redirect", "same", """
            - matches: [{path: {value: /host}}]
              filters: [{type: RequestRedirect, requestRedirect: {hostname: example.org, statusCode: 301}}]
            - matches: [{path: {value: /scheme}}]
              filters: [{type: RequestRedirect, requestRedirect: {scheme: https}}]
            """);

        bed.expect(get(SAME, "redirect.example", "/host/a?b=c"), answer -> {
            assertThat(answer.status().code()).isEqualTo(301);
            assertThat(answer.headers().get("location")).isEqualTo("http://example.org:" + SAME + "/host/a?b=c");
        });
        bed.expect(get(SAME, "redirect.example", "/scheme"), answer -> {
            assertThat(answer.status().code()).isEqualTo(302);
            assertThat(answer.headers().get("location")).isEqualTo("https://redirect.example/scheme");
        });
    }

    @Test
    void httpRouteRewritePath_andHost() {
        route("rewrite", "same", """
            - matches: [{path: {value: /prefix/one}}]
              filters: [{type: URLRewrite, urlRewrite: {hostname: one.example.org, path: {type: ReplacePrefixMatch, replacePrefixMatch: /one}}}]
              backendRefs: [{name: v1, port: 8080}]
            - matches: [{path: {value: /strip}}]
              filters: [{type: URLRewrite, urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}}]
              backendRefs: [{name: v1, port: 8080}]
            - matches: [{path: {value: /full}}]
              filters: [{type: URLRewrite, urlRewrite: {path: {type: ReplaceFullPath, replaceFullPath: /whole}}}]
              backendRefs: [{name: v1, port: 8080}]
            """);

        for (String[] each : new String[][] {
            {"/prefix/one/two", "/one/two"}, {"/strip/three", "/three"}, {"/strip", "/"}, {"/full/x", "/whole"}
        }) {
            bed.expect(
                    get(SAME, "rewrite.example", each[0]),
                    answer -> assertThat(GatewayBed.echo(answer).path("path").asText())
                            .isEqualTo(each[1]));
        }
        bed.expect(
                get(SAME, "rewrite.example", "/prefix/one"),
                answer -> assertThat(GatewayBed.echo(answer).path("host").asText())
                        .isEqualTo("one.example.org"));
    }

    @Test
    void httpRouteTimeoutRequest() {
        route("timeout", "same", "- {timeouts: {request: 200ms}, backendRefs: [{name: v1, port: 8080}]}");

        bed.expectStatus(get(SAME, "timeout.example", "/"), 200);
        bed.expectStatus(get(SAME, "timeout.example", "/?delay=3000"), 504);
    }
}
