package io.parley.proxy.gateway;

import static io.parley.proxy.gateway.Calls.http1;
import static io.parley.proxy.gateway.Calls.http2;
import static io.parley.proxy.gateway.Calls.said;
import static io.parley.proxy.gateway.Gateway.HTTP;
import static io.parley.proxy.gateway.Gateway.host;
import static io.parley.proxy.gateway.Gateway.listener;
import static io.parley.proxy.gateway.Gateway.prefix;
import static io.parley.proxy.gateway.Gateway.routes;
import static io.parley.proxy.gateway.Gateway.to;
import static io.parley.proxy.gateway.Gateway.toRoutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.UInt32Value;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.SessionProtocol;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.config.core.v3.HeaderValueOption;
import io.envoyproxy.envoy.config.core.v3.HeaderValueOption.HeaderAppendAction;
import io.envoyproxy.envoy.config.core.v3.RuntimeFractionalPercent;
import io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig;
import io.envoyproxy.envoy.config.route.v3.DirectResponseAction;
import io.envoyproxy.envoy.config.route.v3.HeaderMatcher;
import io.envoyproxy.envoy.config.route.v3.QueryParameterMatcher;
import io.envoyproxy.envoy.config.route.v3.RedirectAction;
import io.envoyproxy.envoy.config.route.v3.RetryPolicy;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.config.route.v3.WeightedCluster;
import io.envoyproxy.envoy.extensions.filters.http.cors.v3.CorsPolicy;
import io.envoyproxy.envoy.extensions.filters.http.stateful_session.v3.StatefulSession;
import io.envoyproxy.envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute;
import io.envoyproxy.envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState;
import io.envoyproxy.envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState;
import io.envoyproxy.envoy.type.http.v3.Cookie;
import io.envoyproxy.envoy.type.matcher.v3.RegexMatcher;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import io.envoyproxy.envoy.type.v3.FractionalPercent;
import io.parley.xds.type.ResourceType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a route can ask for (fact sheet, section 5). */
class RoutesTest {
    private static final EchoServer ONE = EchoServer.start("one");
    private static final EchoServer TWO = EchoServer.start("two");

    private final Gateway gateway = new Gateway();

    @BeforeEach
    void backends() {
        gateway.backend(Gateway.http1("one"), ONE.port()).backend(Gateway.h2c("two"), TWO.port());
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    @AfterAll
    static void stop() {
        ONE.close();
        TWO.close();
    }

    private static Route.Builder toOne(String prefix) {
        return to(prefix, "one").toBuilder();
    }

    @Test
    void matchesByPathFieldsQueryAndMethod() {
        RouteMatch get = prefix("/m").toBuilder()
                .addHeaders(exact(":method", "GET"))
                .addHeaders(exact("X-Version", "2"))
                .addQueryParameters(QueryParameterMatcher.newBuilder()
                        .setName("animal")
                        .setStringMatch(StringMatcher.newBuilder().setExact("whale")))
                .build();
        gateway.http(
                answer(RouteMatch.newBuilder().setPath("/exact").build(), "exact"),
                answer(get, "all"),
                answer(regex("/v[0-9]+/x"), "regex"),
                answer(prefix("/m"), "prefix"));
        assertThat(text("/exact")).isEqualTo("exact");
        assertThat(text("/exact/")).isEmpty();
        assertThat(text("/m?animal=whale&animal=dog", "x-version", "2")).isEqualTo("all");
        assertThat(text("/m?animal=dog&animal=whale", "x-version", "2")).isEqualTo("prefix");
        assertThat(text("/m/x")).isEqualTo("prefix");
        assertThat(text("/mx")).isEmpty();
        assertThat(text("/v12/x")).isEqualTo("regex");
    }

    private String text(String path, String... fields) {
        AggregatedHttpResponse answer = http1(gateway.port(), path, fields);
        return answer.status().code() == 404 ? "" : answer.contentUtf8();
    }

    private static HeaderMatcher exact(String name, String value) {
        return HeaderMatcher.newBuilder()
                .setName(name)
                .setStringMatch(StringMatcher.newBuilder().setExact(value))
                .build();
    }

    private static RouteMatch regex(String regex) {
        return RouteMatch.newBuilder()
                .setSafeRegex(RegexMatcher.newBuilder().setRegex(regex))
                .build();
    }

    private static Route answer(RouteMatch match, String text) {
        return Route.newBuilder()
                .setMatch(match)
                .setDirectResponse(DirectResponseAction.newBuilder()
                        .setStatus(200)
                        .setBody(DataSource.newBuilder().setInlineString(text)))
                .build();
    }

    @Test
    void hostsAreFoundByTheirLongestName() {
        gateway.tell(
                        ResourceType.ROUTE,
                        routes(
                                HTTP + "/http",
                                host("*", answer(prefix("/"), "any")),
                                host("*.example", answer(prefix("/"), "wide")),
                                host("a.example", answer(prefix("/"), "exact"))))
                .tell(
                        ResourceType.LISTENER,
                        listener(HTTP)
                                .setDefaultFilterChain(toRoutes(HTTP + "/http"))
                                .build());
        assertThat(text("/", "host", "a.example")).isEqualTo("exact");
        assertThat(text("/", "host", "b.c.example:80")).isEqualTo("wide");
        assertThat(text("/", "host", "other")).isEqualTo("any");
    }

    @Test
    void fieldsAreChangedOnBothWaysAndForOneBackendAfterTheRoute() {
        Route.Builder route = Route.newBuilder()
                .setMatch(prefix("/"))
                .addRequestHeadersToAdd(edit("X-Set", "route", HeaderAppendAction.OVERWRITE_IF_EXISTS_OR_ADD))
                .addRequestHeadersToAdd(edit("x-add", "2", HeaderAppendAction.APPEND_IF_EXISTS_OR_ADD))
                .addRequestHeadersToRemove("X-Remove")
                .addResponseHeadersToAdd(edit("x-answer", "yes", HeaderAppendAction.OVERWRITE_IF_EXISTS_OR_ADD))
                .addResponseHeadersToRemove("x-server");
        route.getRouteBuilder()
                .getWeightedClustersBuilder()
                .addClusters(WeightedCluster.ClusterWeight.newBuilder()
                        .setName("two")
                        .setWeight(UInt32Value.of(1))
                        .addRequestHeadersToAdd(
                                edit("x-set", "backend", HeaderAppendAction.OVERWRITE_IF_EXISTS_OR_ADD)));
        gateway.http(route.build());
        AggregatedHttpResponse answer = http1(gateway.port(), "/", "x-set", "client", "x-add", "1", "x-remove", "gone");
        assertThat(said(answer, "x-set")).isEqualTo("backend");
        assertThat(answer.contentUtf8()).contains("x-add=1\n").contains("x-add=2\n");
        assertThat(said(answer, "x-remove")).isEmpty();
        assertThat(answer.headers().get("x-answer")).isEqualTo("yes");
        assertThat(answer.headers().contains("x-server")).isFalse();
    }

    private static HeaderValueOption edit(String name, String value, HeaderAppendAction action) {
        return HeaderValueOption.newBuilder()
                .setHeader(HeaderValue.newBuilder().setKey(name).setValue(value))
                .setAppendAction(action)
                .build();
    }

    @Test
    void redirectsKeepWhatTheyDoNotSay() {
        gateway.http(
                redirect("/scheme", RedirectAction.newBuilder().setSchemeRedirect("https")),
                redirect(
                        "/host",
                        RedirectAction.newBuilder()
                                .setHostRedirect("other.example")
                                .setPortRedirect(80)),
                redirect(
                        "/port",
                        RedirectAction.newBuilder().setHostRedirect("h.example").setPortRedirect(8443)),
                redirect("/prefix", RedirectAction.newBuilder().setPrefixRewrite("/new")),
                redirect("/full", RedirectAction.newBuilder().setPathRedirect("/whole")));
        assertThat(location("/scheme/a?b=c")).isEqualTo("302 https://shop.example/scheme/a?b=c");
        assertThat(location("/host")).isEqualTo("302 http://other.example/host");
        assertThat(location("/port")).isEqualTo("302 http://h.example:8443/port");
        assertThat(location("/prefix/x?q")).isEqualTo("302 http://shop.example/new/x?q");
        assertThat(location("/full/x?q")).isEqualTo("302 http://shop.example/whole?q");
    }

    private String location(String path) {
        AggregatedHttpResponse answer = http1(gateway.port(), path, "host", "shop.example");
        return answer.status().code() + " " + answer.headers().get("location");
    }

    private static Route redirect(String prefix, RedirectAction.Builder action) {
        return Route.newBuilder()
                .setMatch(prefix(prefix))
                .setRedirect(action.setResponseCode(RedirectAction.RedirectResponseCode.FOUND))
                .build();
    }

    @Test
    void rewritesHostAndPath() {
        Route.Builder route = toOne("/foo");
        route.getRouteBuilder().setPrefixRewrite("/").setHostRewriteLiteral("inner.example");
        gateway.http(route.build());
        assertThat(said(http1(gateway.port(), "/foo/bar?q=1"), "path")).isEqualTo("/bar?q=1");
        assertThat(said(http1(gateway.port(), "/foo"), "path")).isEqualTo("/");
        assertThat(said(http1(gateway.port(), "/foo/"), "path")).isEqualTo("/");
        assertThat(said(http2(gateway.port(), "/foo"), "host")).isEqualTo("inner.example");
    }

    @Test
    void case33_aTimeoutIs504AndAnH2ConnectionOutlivesIt() {
        Route.Builder whole = to("/slow", "two").toBuilder();
        whole.getRouteBuilder().setTimeout(millis(300));
        Route.Builder attempt = to("/slow/try", "one").toBuilder();
        attempt.getRouteBuilder()
                .setTimeout(millis(5_000))
                .setRetryPolicy(
                        RetryPolicy.newBuilder().setPerTryTimeout(millis(300)).setNumRetries(UInt32Value.of(0)));
        gateway.http(attempt.build(), whole.build(), to("/", "two"));
        assertThat(http1(gateway.port(), "/slow/try").status().code()).isEqualTo(504);
        assertThat(http1(gateway.port(), "/").status().code()).isEqualTo(200);
        assertThat(http1(gateway.port(), "/slow/whole").status().code()).isEqualTo(504);
        assertThat(http1(gateway.port(), "/").status().code()).isEqualTo(200);
        assertThat(gateway.proxy()
                        .machinery()
                        .clusters()
                        .find("two")
                        .orElseThrow()
                        .open())
                .isEqualTo(1);
    }

    private static Duration millis(int millis) {
        return Duration.newBuilder()
                .setSeconds(millis / 1_000)
                .setNanos(millis % 1_000 * 1_000_000)
                .build();
    }

    @Test
    void case33_aRequestIsSentAgainFromHttp1ToAnH2cBackend() {
        Route.Builder route = to("/flaky", "two").toBuilder();
        route.getRouteBuilder()
                .setRetryPolicy(RetryPolicy.newBuilder()
                        .setRetryOn("retriable-status-codes")
                        .addRetriableStatusCodes(503)
                        .setNumRetries(UInt32Value.of(2))
                        .setRetryBackOff(RetryPolicy.RetryBackOff.newBuilder().setBaseInterval(millis(1))));
        gateway.http(route.build());
        int before = TWO.requests();
        AggregatedHttpResponse answer =
                Calls.send(SessionProtocol.H1C, gateway.port(), HttpMethod.POST, "/flaky", "body");
        assertThat(answer.contentUtf8()).isEqualTo("third time");
        assertThat(TWO.requests() - before).isEqualTo(3);
    }

    @Test
    void case33_copiesGoToMirrorsOfEitherVersion() {
        Route.Builder route = toOne("/mirrored");
        for (String cluster : List.of("two", "one")) {
            route.getRouteBuilder().addRequestMirrorPoliciesBuilder().setCluster(cluster);
        }
        route.getRouteBuilder()
                .addRequestMirrorPoliciesBuilder()
                .setCluster("two")
                .setRuntimeFraction(RuntimeFractionalPercent.newBuilder()
                        .setDefaultValue(FractionalPercent.newBuilder().setNumerator(0)));
        gateway.http(route.build());
        AggregatedHttpResponse answer =
                Calls.send(SessionProtocol.H1C, gateway.port(), HttpMethod.POST, "/mirrored/1", "copy me");
        assertThat(said(answer, "body")).isEqualTo("copy me");
        await().until(() -> TWO.seen().stream()
                                .filter("POST /mirrored/1"::equals)
                                .count()
                        == 1
                && ONE.seen().stream().filter("POST /mirrored/1"::equals).count() == 2);
    }

    @Test
    void corsIsAnsweredForOriginsThatAreAllowed() {
        Route route = toOne("/")
                .putTypedPerFilterConfig(
                        "envoy.filters.http.cors",
                        Any.pack(CorsPolicy.newBuilder()
                                .addAllowOriginStringMatch(
                                        StringMatcher.newBuilder().setExact("https://good.example"))
                                .setAllowMethods("GET, PUT")
                                .setAllowHeaders("x-a")
                                .setMaxAge("5")
                                .build()))
                .build();
        gateway.http(route);
        AggregatedHttpResponse asked = Calls.send(
                SessionProtocol.H1C,
                gateway.port(),
                HttpMethod.OPTIONS,
                "/",
                "",
                "origin",
                "https://good.example",
                "access-control-request-method",
                "PUT");
        assertThat(asked.status().code()).isEqualTo(200);
        assertThat(asked.headers().get("access-control-allow-origin")).isEqualTo("https://good.example");
        assertThat(asked.headers().get("access-control-allow-methods")).isEqualTo("GET, PUT");
        assertThat(asked.headers().get("access-control-max-age")).isEqualTo("5");
        assertThat(http1(gateway.port(), "/", "origin", "https://bad.example")
                        .headers()
                        .contains("access-control-allow-origin"))
                .isFalse();
    }

    @Test
    void weightsAreExact() {
        gateway.http(ProtocolsTest.weighted("one", 3, "two", 1));
        List<String> got = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            got.add(said(http1(gateway.port(), "/"), "server"));
        }
        assertThat(got).containsExactly("one", "one", "two", "one", "one", "one", "two", "one");
    }

    @Test
    void allWeightsZeroIs500() {
        gateway.http(ProtocolsTest.weighted("one", 0, "two", 0));
        assertThat(http1(gateway.port(), "/").status().code()).isEqualTo(500);
    }

    @Test
    void aSessionStaysWithItsEndpointWhateverTheWeightsSay() {
        gateway.http(ProtocolsTest.weighted("one", 1, "two", 1).toBuilder()
                .putTypedPerFilterConfig(
                        "envoy.filters.http.stateful_session",
                        session(CookieBasedSessionState.newBuilder()
                                .setCookie(Cookie.newBuilder()
                                        .setName("sticky")
                                        .setPath("/")
                                        .setTtl(millis(60_000)))
                                .build()))
                .build());
        AggregatedHttpResponse first = http1(gateway.port(), "/");
        String cookie = first.headers().get("set-cookie");
        assertThat(cookie).startsWith("sticky=").contains("; Path=/", "; Max-Age=60", "; HttpOnly");
        String server = said(first, "server");
        for (int i = 0; i < 5; i++) {
            AggregatedHttpResponse next =
                    http1(gateway.port(), "/", "cookie", "a=b; " + cookie.substring(0, cookie.indexOf(';')));
            assertThat(said(next, "server")).isEqualTo(server);
            assertThat(next.headers().contains("set-cookie")).isFalse();
        }
        assertThat(http1(gateway.port(), "/", "cookie", "sticky=0000").headers().contains("set-cookie"))
                .isTrue();
    }

    @Test
    void aSessionMayBeCarriedInAHeaderField() {
        gateway.http(ProtocolsTest.weighted("one", 1, "two", 1).toBuilder()
                .putTypedPerFilterConfig(
                        "envoy.filters.http.stateful_session",
                        session(HeaderBasedSessionState.newBuilder()
                                .setName("X-Session")
                                .build()))
                .build());
        AggregatedHttpResponse first = http1(gateway.port(), "/");
        String token = String.valueOf(first.headers().get("x-session"));
        for (int i = 0; i < 5; i++) {
            assertThat(said(http2(gateway.port(), "/", "x-session", token), "server"))
                    .isEqualTo(said(first, "server"));
        }
    }

    private static Any session(com.google.protobuf.Message state) {
        return Any.pack(StatefulSessionPerRoute.newBuilder()
                .setStatefulSession(StatefulSession.newBuilder()
                        .setSessionState(TypedExtensionConfig.newBuilder()
                                .setName("state")
                                .setTypedConfig(Any.pack(state))))
                .build());
    }
}
