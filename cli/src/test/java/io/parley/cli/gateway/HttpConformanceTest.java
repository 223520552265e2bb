package io.parley.cli.gateway;

import static io.parley.cli.gateway.Request.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import io.parley.cli.FreePorts;
import io.parley.cli.TestControlPlane;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The whole way, from manifests to answers: the conformance suite's core tests of GATEWAY-HTTP, with its manifests and assertions in spirit.
 * Each test has a host name of its own, so that none is in another's way.
 */
@ExtendWith(SharedControlPlane.class)
class HttpConformanceTest {
    private static final int PORT = FreePorts.next();

    @SuppressWarnings("NullAway.Init")
    private static GatewayBed bed;

    @BeforeAll
    static void start(TestControlPlane controlPlane) {
        bed = new GatewayBed(controlPlane, "infra");
        for (String name : new String[] {"v1", "v2", "v3"}) {
            bed.service(name, "8080");
        }
        bed.gateway("same", "- {name: http, port: %d, protocol: HTTP}".formatted(PORT));
    }

    @AfterAll
    static void stop() {
        bed.close();
    }

    private static void route(String name, String rules) {
        bed.route("HTTPRoute", name, "{name: same}", "hostnames: [" + name + ".example]\nrules:\n" + rules.indent(2));
    }

    @Test
    void httpRouteSimpleSameNamespace() {
        route("simple", "- backendRefs: [{name: v1, port: 8080}]");

        bed.http().expectBackend(get(PORT, "simple.example", "/"), "v1");
        bed.expectConditions("httproutes", "simple", "Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs");
    }

    @Test
    void httpRouteExactPathMatching() {
        route("exact", """
            - {matches: [{path: {type: Exact, value: /one}}], backendRefs: [{name: v1, port: 8080}]}
            - {matches: [{path: {type: Exact, value: /two}}], backendRefs: [{name: v2, port: 8080}]}
            """);

        bed.http().expectBackend(get(PORT, "exact.example", "/one"), "v1");
        bed.http().expectBackend(get(PORT, "exact.example", "/two"), "v2");
        bed.http().expectStatus(get(PORT, "exact.example", "/"), 404);
        bed.http().expectStatus(get(PORT, "exact.example", "/one/example"), 404);
    }

    @Test
    void httpRouteHeaderMatching() {
        route("header", """
            - {matches: [{headers: [{name: version, value: one}]}], backendRefs: [{name: v1, port: 8080}]}
            - {matches: [{headers: [{name: version, value: two}, {name: color, value: orange}]}], backendRefs: [{name: v2, port: 8080}]}
            """);

        Request request = get(PORT, "header.example", "/");
        bed.http().expectBackend(request.with("Version", "one"), "v1");
        bed.http().expectBackend(request.with("version", "two").with("Color", "orange"), "v2");
        bed.http().expectStatus(request.with("version", "two"), 404);
        bed.http().expectStatus(request, 404);
    }

    @Test
    void httpRouteMatching_andPathMatchOrder() {
        route("order", """
            - {matches: [{path: {value: /match}}], backendRefs: [{name: v3, port: 8080}]}
            - {matches: [{path: {type: Exact, value: /match/exact}}], backendRefs: [{name: v1, port: 8080}]}
            - {matches: [{path: {value: /match/prefix/}}], backendRefs: [{name: v2, port: 8080}]}
            """);

        bed.http().expectBackend(get(PORT, "order.example", "/match/exact"), "v1");
        bed.http().expectBackend(get(PORT, "order.example", "/match/prefix"), "v2");
        bed.http().expectBackend(get(PORT, "order.example", "/match/prefix/x"), "v2");
        bed.http().expectBackend(get(PORT, "order.example", "/match/prefixes"), "v3");
        bed.http().expectStatus(get(PORT, "order.example", "/matching"), 404);
    }

    @Test
    void httpRouteMatchingAcrossRoutes() {
        route(
                "across",
                "- {matches: [{headers: [{name: version, value: two}]}], backendRefs: [{name: v2, port: 8080}]}");
        bed.route("HTTPRoute", "across-2", "{name: same}", """
            hostnames: [across.example]
            rules: [{backendRefs: [{name: v1, port: 8080}]}]
            """);

        bed.http().expectBackend(get(PORT, "across.example", "/"), "v1");
        bed.http().expectBackend(get(PORT, "across.example", "/").with("version", "two"), "v2");
    }

    @Test
    void httpRouteMethodAndQueryParamMatching() {
        route("method", """
            - {matches: [{method: POST}], backendRefs: [{name: v1, port: 8080}]}
            - {matches: [{queryParams: [{name: animal, value: whale}]}], backendRefs: [{name: v2, port: 8080}]}
            """);

        bed.http().expectBackend(get(PORT, "method.example", "/").by(HttpMethod.POST), "v1");
        bed.http().expectBackend(get(PORT, "method.example", "/?animal=whale"), "v2");
        bed.http().expectStatus(get(PORT, "method.example", "/"), 404);
    }

    @Test
    void httpRouteNoBackendRefs() {
        route("none", "- matches: [{path: {value: /}}]");

        bed.http().expectStatus(get(PORT, "none.example", "/"), 500);
        bed.expectConditions("httproutes", "none", "Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs");
    }

    @Test
    void httpRouteWeight() {
        route("weight", """
            - backendRefs:
                - {name: v1, port: 8080, weight: 70}
                - {name: v2, port: 8080, weight: 30}
                - {name: v3, port: 8080, weight: 0}
            """);
        Request request = get(PORT, "weight.example", "/");
        bed.http().expectStatus(request, 200);

        assertThat(bed.http().count(100, request, HttpCalls::pod)).isEqualTo(Map.of("v1", 70, "v2", 30));
    }

    @Test
    void httpRouteRequestHeaderModifier_andResponseHeaderModifier() {
        route("modify", """
            - filters:
                - {type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: x-set, value: new}], add: [{name: x-add, value: more}], remove: [x-gone]}}
                - {type: ResponseHeaderModifier, responseHeaderModifier: {set: [{name: x-answer, value: "yes"}]}}
              backendRefs: [{name: v1, port: 8080}]
            """);

        Request request = get(PORT, "modify.example", "/")
                .with("x-set", "old")
                .with("x-add", "some")
                .with("x-gone", "here");
        bed.http().expect(request, answer -> {
            var headers = HttpCalls.echo(answer).path("headers");
            assertThat(headers.path("x-set").asText()).isEqualTo("new");
            assertThat(headers.path("x-add").asText().replace(" ", "")).isEqualTo("some,more");
            assertThat(headers.has("x-gone")).isFalse();
            assertThat(answer.headers().get("x-answer")).isEqualTo("yes");
        });
    }

    @Test
    void httpRouteRedirectHostAndStatus_andScheme() {
        route("redirect", """
            - matches: [{path: {value: /host}}]
              filters: [{type: RequestRedirect, requestRedirect: {hostname: example.org, statusCode: 301}}]
            - matches: [{path: {value: /scheme}}]
              filters: [{type: RequestRedirect, requestRedirect: {scheme: https}}]
            """);

        bed.http().expect(get(PORT, "redirect.example", "/host/a?b=c"), answer -> {
            assertThat(answer.status().code()).isEqualTo(301);
            assertThat(answer.headers().get("location")).isEqualTo("http://example.org:" + PORT + "/host/a?b=c");
        });
        bed.http().expect(get(PORT, "redirect.example", "/scheme"), answer -> {
            assertThat(answer.status().code()).isEqualTo(302);
            assertThat(answer.headers().get("location")).isEqualTo("https://redirect.example/scheme");
        });
    }

    @Test
    void httpRouteRewritePath_andHost() {
        route("rewrite", """
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
            bed.http()
                    .expect(
                            get(PORT, "rewrite.example", each[0]),
                            answer -> assertThat(
                                            HttpCalls.echo(answer).path("path").asText())
                                    .isEqualTo(each[1]));
        }
        bed.http()
                .expect(
                        get(PORT, "rewrite.example", "/prefix/one"),
                        answer -> assertThat(HttpCalls.echo(answer).path("host").asText())
                                .isEqualTo("one.example.org"));
    }

    @Test
    void httpRouteTimeoutRequest() {
        route("timeout", "- {timeouts: {request: 200ms}, backendRefs: [{name: v1, port: 8080}]}");

        bed.http().expectStatus(get(PORT, "timeout.example", "/"), 200);
        bed.http().expectStatus(get(PORT, "timeout.example", "/?delay=3000"), 504);
    }
}
