package io.parley.cli.gateway;

import static io.parley.cli.gateway.Request.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpMethod;
import io.parley.cli.FreePorts;
import io.parley.cli.TestControlPlane;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the conformance suite calls extended features of HTTPRoute, the whole way. */
@ExtendWith(SharedControlPlane.class)
class HttpExtendedConformanceTest {
    private static final int PORT = FreePorts.next();

    @SuppressWarnings("NullAway.Init")
    private static GatewayBed bed;

    @SuppressWarnings("NullAway.Init")
    private static EchoBackend v2;

    @SuppressWarnings("NullAway.Init")
    private static EchoBackend v3;

    @BeforeAll
    static void start(TestControlPlane controlPlane) {
        bed = new GatewayBed(controlPlane, "extended");
        bed.service("v1", "80");
        v2 = bed.service("v2", "80", "81=kubernetes.io/h2c");
        v3 = bed.service("v3", "80");
        bed.gateway("edge", "- {name: http, port: %d, protocol: HTTP}".formatted(PORT));
    }

    @AfterAll
    static void stop() {
        bed.close();
    }

    private static Request route(String name, String rules) {
        bed.route("HTTPRoute", name, "{name: edge}", "hostnames: [" + name + ".example]\nrules:\n" + rules.indent(2));
        return get(PORT, name + ".example", "/");
    }

    private static Request at(Request request, String path) {
        return new Request(
                request.scheme(),
                request.dialled(),
                request.port(),
                request.method(),
                request.host(),
                path,
                request.headers());
    }

    @Test
    void httpRouteRequestMirror_andMultipleMirrors_case33() {
        Request request = route("mirror", """
            - filters:
                - {type: RequestMirror, requestMirror: {backendRef: {name: v2, port: 81}}}
                - {type: RequestMirror, requestMirror: {backendRef: {name: v3, port: 80}}}
              backendRefs: [{name: v1, port: 80}]
            """);
        bed.http().expectBackend(at(request, "/copied"), "v1");

        Patience.until("copies", () -> {
            assertThat(v2.paths()).contains("/copied");
            assertThat(v3.paths()).contains("/copied");
        });
    }

    @Test
    void httpRouteRequestPercentageMirror() {
        Request request = route("some", """
            - matches: [{path: {value: /none}}]
              filters: [{type: RequestMirror, requestMirror: {backendRef: {name: v2, port: 80}, percent: 0}}]
              backendRefs: [{name: v1, port: 80}]
            - matches: [{path: {value: /half}}]
              filters: [{type: RequestMirror, requestMirror: {backendRef: {name: v2, port: 80}, fraction: {numerator: 50}}}]
              backendRefs: [{name: v1, port: 80}]
            """);
        bed.http().expectBackend(at(request, "/none"), "v1");
        bed.http().expectBackend(at(request, "/half"), "v1");
        assertThat(bed.http().count(100, at(request, "/half"), HttpCalls::pod)).isEqualTo(Map.of("v1", 100));

        // 1 in 10^12 that a fair coin falls outside of this
        Patience.until(
                "copies",
                () -> assertThat(v2.paths().stream().filter("/half"::equals).count())
                        .isBetween(15L, 90L));
        assertThat(v2.paths()).doesNotContain("/none");
    }

    @Test
    void httpRouteCors() {
        Request request = route("cors", """
            - filters:
                - type: CORS
                  cors:
                    allowOrigins: ["https://good.example", "https://*.wild.example"]
                    allowMethods: [GET, PUT]
                    allowHeaders: [x-one]
                    exposeHeaders: [x-two]
                    allowCredentials: true
                    maxAge: 60
              backendRefs: [{name: v1, port: 80}]
            """);
        for (String origin : new String[] {"https://good.example", "https://a.b.wild.example"}) {
            Request preflight = request.by(HttpMethod.OPTIONS)
                    .with("origin", origin)
                    .with("access-control-request-method", "PUT")
                    .with("access-control-request-headers", "x-one");
            bed.http().expect(preflight, answer -> {
                assertThat(answer.status().code()).isIn(200, 204);
                assertThat(answer.headers().get("access-control-allow-origin")).isEqualTo(origin);
                assertThat(answer.headers().get("access-control-allow-credentials"))
                        .isEqualTo("true");
                assertThat(answer.headers().get("access-control-allow-methods")).contains("PUT");
                assertThat(answer.headers().get("access-control-allow-headers")).contains("x-one");
                assertThat(answer.headers().get("access-control-max-age")).isEqualTo("60");
            });
        }
        AggregatedHttpResponse simple = bed.http().send(request.with("origin", "https://good.example"));
        assertThat(simple.headers().get("access-control-allow-origin")).isEqualTo("https://good.example");
        assertThat(simple.headers().get("access-control-expose-headers")).isEqualTo("x-two");
        AggregatedHttpResponse stranger = bed.http().send(request.with("origin", "https://bad.example"));
        assertThat(stranger.headers().get("access-control-allow-origin")).isNull();
    }

    @Test
    void httpRouteRetry() {
        Request request = route("retry", """
            - retry: {codes: [503], attempts: 2, backoff: 1ms}
              backendRefs: [{name: v1, port: 80}]
            """);
        bed.http().expectStatus(request, 200);

        assertThat(bed.http().status(at(request, "/twice?fails=2"))).isEqualTo(200);
        assertThat(bed.http().status(at(request, "/thrice?fails=3"))).isEqualTo(503);
        assertThat(bed.http().status(at(request, "/thrice?fails=3"))).isEqualTo(200);
    }

    @Test
    void httpRouteTimeoutBackendRequest() {
        Request request = route("slow", "- {timeouts: {backendRequest: 300ms}, backendRefs: [{name: v1, port: 80}]}");

        bed.http().expectStatus(request, 200);
        bed.http().expectStatus(at(request, "/?delay=3000"), 504);
    }

    @Test
    void sessionPersistence_aCookieKeepsAClientWhereItIs() {
        twoEndpoints("kept");
        Request request = route("kept", """
            - sessionPersistence: {sessionName: seat}
              backendRefs: [{name: kept, port: 80}]
            """);
        bed.http().expectStatus(request, 200);

        AggregatedHttpResponse first = bed.http().send(request);
        String cookie = String.valueOf(first.headers().get("set-cookie")).replaceAll(";.*", "");
        assertThat(cookie).startsWith("seat=");
        assertThat(bed.http().count(10, request.with("cookie", cookie), HttpCalls::pod))
                .isEqualTo(Map.of(HttpCalls.pod(first), 10));
        assertThat(bed.http().count(10, request, HttpCalls::pod)).hasSize(2);
    }

    @Test
    void sessionPersistence_orAHeaderFieldDoes() {
        twoEndpoints("field");
        Request request = route("field", """
            - sessionPersistence: {sessionName: x-seat, type: Header}
              backendRefs: [{name: field, port: 80}]
            """);
        bed.http().expectStatus(request, 200);

        AggregatedHttpResponse first = bed.http().send(request);
        String seat = String.valueOf(first.headers().get("x-seat"));
        assertThat(bed.http().count(10, request.with("x-seat", seat), HttpCalls::pod))
                .isEqualTo(Map.of(HttpCalls.pod(first), 10));
    }

    private static void twoEndpoints(String name) {
        bed.service(name, "80");
        bed.slice(name, 2, v3.port(), "80");
    }

    @Test
    void httpRouteBackendRequestHeaderModifier_andWithWeights() {
        Request request = route("own", """
            - backendRefs:
                - {name: v1, port: 80, filters: [{type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: backend, value: v1}]}}]}
                - {name: v3, port: 80, filters: [{type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: backend, value: v3}]}}]}
            """);
        bed.http().expectStatus(request, 200);

        assertThat(bed.http()
                        .count(
                                10,
                                request,
                                answer -> HttpCalls.pod(answer) + " "
                                        + HttpCalls.echo(answer)
                                                .at("/headers/backend")
                                                .asText()))
                .isEqualTo(Map.of("v1 v1", 5, "v3 v3", 5));
    }

    @Test
    void httpRouteRedirectPath_andPort_andOtherStatusCodes() {
        Request request = route("redirect", """
            - matches: [{path: {value: /prefix}}]
              filters: [{type: RequestRedirect, requestRedirect: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /new}}}]
            - matches: [{path: {value: /full}}]
              filters: [{type: RequestRedirect, requestRedirect: {path: {type: ReplaceFullPath, replaceFullPath: /whole}, statusCode: 303}}]
            - matches: [{path: {value: /port}}]
              filters: [{type: RequestRedirect, requestRedirect: {port: 8083, statusCode: 307}}]
            - matches: [{path: {value: /all}}]
              filters: [{type: RequestRedirect, requestRedirect: {scheme: https, hostname: example.org, port: 443, statusCode: 308}}]
            - matches: [{path: {value: /}}]
              backendRefs: [{name: v1, port: 80}]
            """);
        bed.http().expectStatus(request, 200);

        assertThat(redirect(at(request, "/prefix/a?b=c")))
                .isEqualTo("302 http://redirect.example:" + PORT + "/new/a?b=c");
        assertThat(redirect(at(request, "/full/a"))).isEqualTo("303 http://redirect.example:" + PORT + "/whole");
        assertThat(redirect(at(request, "/port"))).isEqualTo("307 http://redirect.example:8083/port");
        assertThat(redirect(at(request, "/all"))).isEqualTo("308 https://example.org/all");
    }

    private static String redirect(Request request) {
        AggregatedHttpResponse answer = bed.http().send(request);
        return answer.status().code() + " " + answer.headers().get("location");
    }

    @Test
    void httpRouteNamedRule_andParentRefPort() {
        bed.route("HTTPRoute", "rule", "{name: edge, port: %d}".formatted(PORT), """
            hostnames: [rule.example]
            rules: [{name: first, backendRefs: [{name: v1, port: 80}]}]
            """);
        bed.http().expectBackend(get(PORT, "rule.example", "/"), "v1");

        bed.route("HTTPRoute", "elsewhere", "{name: edge, port: 1}", "rules: [{backendRefs: [{name: v1, port: 80}]}]");
        bed.expectConditions(
                "httproutes", "elsewhere", "Accepted=False/NoMatchingParent", "ResolvedRefs=True/ResolvedRefs");
    }
}
