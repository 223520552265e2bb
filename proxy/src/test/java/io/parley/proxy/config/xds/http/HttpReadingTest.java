package io.parley.proxy.config.xds.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.Any;
import com.google.protobuf.BoolValue;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.UInt32Value;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.config.core.v3.HeaderValueOption;
import io.envoyproxy.envoy.config.rbac.v3.Permission;
import io.envoyproxy.envoy.config.rbac.v3.Policy;
import io.envoyproxy.envoy.config.rbac.v3.Principal;
import io.envoyproxy.envoy.config.route.v3.RedirectAction;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.extensions.filters.http.buffer.v3.Buffer;
import io.envoyproxy.envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBAC;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBACPerRoute;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.ForwardClientCertDetails;
import io.parley.proxy.http.Affinity;
import io.parley.proxy.http.FieldMatch;
import io.parley.proxy.http.HttpConfig.Forwarding;
import io.parley.proxy.http.HttpConfig.PathHandling;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RateLimit;
import io.parley.proxy.http.RetryPolicy.On;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http.RouteAction.Forward;
import io.parley.proxy.http.RouteTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What route tables of Envoy mean here. */
class HttpReadingTest {
    private final List<String> problems = new ArrayList<>();

    private static Route.Builder route() {
        Route.Builder route = Route.newBuilder();
        route.getMatchBuilder().setPrefix("/");
        route.getRouteBuilder().setCluster("app");
        return route;
    }

    private RouteTable read(Route.Builder route) {
        RouteConfiguration.Builder table = RouteConfiguration.newBuilder().setName("routes");
        table.addVirtualHostsBuilder().setName("all").addDomains("*").addRoutes(route);
        return HttpReading.routes(table.build(), (path, message) -> problems.add(path + ": " + message));
    }

    private PathHandling paths(Route.Builder route) {
        return HttpReading.manager(HttpConnectionManager.getDefaultInstance(), (path, _) -> problems.add(path))
                .with("way", read(route), Forwarding.KEPT)
                .paths();
    }

    /** Dot segments behind the new prefix would lead out of it again. */
    @Test
    void pathsThatAreRewrittenAreNormalisedFirst() {
        Route.Builder prefix = route();
        prefix.getRouteBuilder().setPrefixRewrite("/tenant-a/");
        Route.Builder regex = route();
        regex.getRouteBuilder()
                .getRegexRewriteBuilder()
                .setSubstitution("/b/")
                .getPatternBuilder()
                .setRegex("^/");
        Route.Builder redirect =
                route().clearRoute().setRedirect(RedirectAction.newBuilder().setPrefixRewrite("/tenant-a/"));
        assertThat(List.of(paths(prefix), paths(regex), paths(redirect))).containsOnly(PathHandling.NORMALISED);
        assertThat(paths(route())).isEqualTo(PathHandling.UNTOUCHED);
        assertThat(problems).isEmpty();
    }

    @Test
    void rulesOfARouteStandBesideThoseOfFiltersWithOtherNames() {
        HttpConnectionManager.Builder manager = HttpConnectionManager.newBuilder();
        manager.addHttpFiltersBuilder().setName("first").setTypedConfig(Any.pack(denying("/first")));
        manager.addHttpFiltersBuilder().setName("second").setTypedConfig(Any.pack(denying("/second")));
        RBACPerRoute perRoute =
                RBACPerRoute.newBuilder().setRbac(denying("/route")).build();
        RouteTable table = read(route().putTypedPerFilterConfig("second", Any.pack(perRoute)));

        Policies wide = HttpReading.manager(manager.build(), (path, message) -> problems.add(path + ": " + message))
                .policies();
        Policies here = table.hosts().getFirst().routes().getFirst().policies().over(wide);

        assertThat(problems).isEmpty();
        assertThat(here.access()).containsOnlyKeys("first", "second");
        assertThat(here.access().get("first")).isEqualTo(wide.access().get("first"));
        assertThat(here.access().get("second")).isNotEqualTo(wide.access().get("second"));
    }

    private static RBAC denying(String path) {
        RBAC.Builder rbac = RBAC.newBuilder();
        rbac.getRulesBuilder()
                .setAction(io.envoyproxy.envoy.config.rbac.v3.RBAC.Action.DENY)
                .putPolicies(
                        path,
                        Policy.newBuilder()
                                .addPrincipals(Principal.newBuilder().setAny(true))
                                .addPermissions(Permission.newBuilder().setAny(true))
                                .build());
        return rbac.build();
    }

    /** The last would count, and the others be forgotten. */
    @Test
    void aSecondFilterOfAKindThatThereIsOnePlaceForIsRefused() {
        LocalRateLimit.Builder limit = LocalRateLimit.newBuilder().setStatPrefix("x");
        limit.getTokenBucketBuilder()
                .setMaxTokens(1)
                .setFillInterval(com.google.protobuf.Duration.newBuilder().setSeconds(1));
        HttpConnectionManager.Builder manager = HttpConnectionManager.newBuilder();
        manager.addHttpFiltersBuilder().setName("one").setTypedConfig(Any.pack(limit.build()));
        manager.addHttpFiltersBuilder().setName("two").setTypedConfig(Any.pack(limit.build()));
        HttpReading.manager(manager.build(), (path, message) -> problems.add(path + ": " + message));
        assertThat(problems)
                .hasSize(1)
                .allSatisfy(problem -> assertThat(problem)
                        .contains("http_filters[1]")
                        .contains("another local_ratelimit (expected: one)"));
    }

    /** Numbers are unsigned there, and none in Java are. */
    @Test
    void aLimitOfVeryManyIsNoneOfVeryFew() {
        LocalRateLimit.Builder limit = LocalRateLimit.newBuilder().setStatPrefix("x");
        int many = (int) 4_000_000_000L;
        limit.getTokenBucketBuilder()
                .setMaxTokens(many)
                .setTokensPerFill(com.google.protobuf.UInt32Value.of(many))
                .setFillInterval(com.google.protobuf.Duration.newBuilder().setSeconds(1));
        HttpConnectionManager.Builder manager = HttpConnectionManager.newBuilder();
        manager.addHttpFiltersBuilder().setName("one").setTypedConfig(Any.pack(limit.build()));
        RateLimit read = Objects.requireNonNull(
                HttpReading.manager(manager.build(), (path, message) -> problems.add(path + ": " + message))
                        .policies()
                        .rateLimit());
        assertThat(problems).isEmpty();
        assertThat(read.requests()).isEqualTo(Integer.MAX_VALUE);
        assertThat(read.interval()).isBetween(Duration.ofMillis(500), Duration.ofSeconds(1));
    }

    @Test
    void aRouteForGrpcIsNotForGrpcWeb() {
        Route.Builder route = route();
        route.getMatchBuilder().setGrpc(RouteMatch.GrpcRouteMatchOptions.getDefaultInstance());
        FieldMatch type = read(route)
                .hosts()
                .getFirst()
                .routes()
                .getFirst()
                .match()
                .fields()
                .getFirst();
        assertThat(List.of("application/grpc", "application/grpc+json", "application/grpc; charset=utf-8"))
                .allMatch(type::isFulfilledBy);
        assertThat(List.of("application/grpc-web", "application/grpc-web+proto", "text/plain"))
                .noneMatch(type::isFulfilledBy);
    }

    /** Whoever is behind the proxy may rely on what was asked for. */
    @Test
    void pathsAreNormalisedWhereThatIsAskedFor() {
        HttpConnectionManager.Builder normal =
                HttpConnectionManager.newBuilder().setNormalizePath(BoolValue.of(true));
        HttpConnectionManager.Builder merged =
                HttpConnectionManager.newBuilder().setMergeSlashes(true);
        assertThat(List.of(normal.build(), merged.build()))
                .extracting(manager -> HttpReading.manager(manager, (path, _) -> problems.add(path))
                        .with("way", read(route()), Forwarding.KEPT)
                        .paths())
                .containsOnly(PathHandling.NORMALISED);
        assertThat(problems).isEmpty();
    }

    @Test
    void anAnswerOfTheProxyItselfMayBeGivenAsBytes() {
        Route.Builder route = route().clearRoute();
        route.getDirectResponseBuilder()
                .setStatus(200)
                .getBodyBuilder()
                .setInlineBytes(ByteString.copyFromUtf8("gr\u00fcn"));
        assertThat(read(route).hosts().getFirst().routes().getFirst().action())
                .isEqualTo(new RouteAction.Respond(200, "gr\u00fcn"));
        assertThat(problems).isEmpty();
    }

    private long maxBody(Message filter) {
        HttpConnectionManager.Builder manager = HttpConnectionManager.newBuilder();
        manager.addHttpFiltersBuilder().setTypedConfig(Any.pack(filter));
        return HttpReading.manager(manager.build(), (path, message) -> problems.add(path + ": " + message))
                .limits()
                .body();
    }

    @Test
    void howLargeABodyMayBeIsWhatTheBufferFilterOfTheListenerSays() {
        Buffer buffer =
                Buffer.newBuilder().setMaxRequestBytes(UInt32Value.of(1_000)).build();
        assertThat(maxBody(buffer)).isEqualTo(1_000);
        assertThat(maxBody(Router.getDefaultInstance())).isZero();
        assertThat(problems).isEmpty();
        assertThat(maxBody(Buffer.getDefaultInstance())).isZero();
        read(route().putTypedPerFilterConfig("buffer", Any.pack(buffer)));
        assertThat(problems)
                .satisfiesExactly(
                        none -> assertThat(none).contains("http_filters[0].max_request_bytes: 0"),
                        route -> assertThat(route)
                                .contains("typed_per_filter_config[buffer].max_request_bytes: for a route"));
    }

    private Forwarding forwarding(HttpConnectionManager.Builder manager, Forwarding absent) {
        return HttpReading.manager(manager.build(), (path, message) -> problems.add(path + ": " + message))
                .with("way", read(route()), absent)
                .forwarding();
    }

    @Test
    void theApplicationIsToldOfMembersIfThatIsAskedFor() {
        HttpConnectionManager.Builder manager = HttpConnectionManager.newBuilder();
        assertThat(forwarding(manager, Forwarding.FROM_MEMBERS)).isEqualTo(Forwarding.FROM_MEMBERS);
        manager.setForwardClientCertDetails(ForwardClientCertDetails.SANITIZE_SET)
                .getSetCurrentClientCertDetailsBuilder()
                .setUri(true);
        assertThat(forwarding(manager, Forwarding.FROM_MEMBERS)).isEqualTo(Forwarding.FROM_NAMED_MEMBERS);
        assertThat(forwarding(manager, Forwarding.KEPT)).isEqualTo(Forwarding.KEPT);
        assertThat(problems).isEmpty();
    }

    @Test
    void whatElseEnvoyDoesWithTheNamesOfClientsIsRefused() {
        forwarding(
                HttpConnectionManager.newBuilder().setForwardClientCertDetails(ForwardClientCertDetails.SANITIZE_SET),
                Forwarding.FROM_MEMBERS);
        forwarding(
                HttpConnectionManager.newBuilder().setForwardClientCertDetails(ForwardClientCertDetails.APPEND_FORWARD),
                Forwarding.FROM_MEMBERS);
        assertThat(problems)
                .containsExactly(
                        "set_current_client_cert_details.uri: false (expected: true, all that is told)",
                        "forward_client_cert_details: APPEND_FORWARD (expected: SANITIZE or SANITIZE_SET)");
    }

    private Set<On> retriedOn(String words) {
        Route.Builder route = route();
        route.getRouteBuilder().getRetryPolicyBuilder().setRetryOn(words);
        Forward forward =
                (Forward) read(route).hosts().getFirst().routes().getFirst().action();
        return forward.retry() == null ? Set.of() : forward.retry().on();
    }

    @Test
    void aRequestThatWasSentIsSentAgainOnlyIfThatIsAskedFor() {
        assertThat(retriedOn("connect-failure,refused-stream")).containsOnly(On.CONNECT_FAILURE);
        assertThat(retriedOn("reset-before-request")).containsOnly(On.HARMLESS_RESET);
        assertThat(retriedOn("reset")).containsOnly(On.RESET);
    }

    /** As Envoy has it, a missing field fulfils no condition on a value, however that is turned round. */
    @Test
    void aMissingFieldHasNoOtherValue() {
        Route.Builder route = route();
        var match = route.getMatchBuilder();
        match.addHeadersBuilder()
                .setName("a")
                .setInvertMatch(true)
                .getStringMatchBuilder()
                .setExact("x");
        match.addHeadersBuilder()
                .setName("b")
                .setInvertMatch(true)
                .setTreatMissingHeaderAsEmpty(true)
                .getStringMatchBuilder()
                .setExact("x");
        match.addHeadersBuilder().setName("c").setInvertMatch(true).setPresentMatch(true);
        match.addHeadersBuilder().setName("d").setPresentMatch(false);
        match.addHeadersBuilder().setName("e").setInvertMatch(true).setPresentMatch(false);
        assertThat(read(route).hosts().getFirst().routes().getFirst().match().fields())
                .extracting(field -> field.isFulfilledBy(null), field -> field.isFulfilledBy("y"))
                .containsExactly(
                        tuple(false, true),
                        tuple(true, true),
                        tuple(true, false),
                        tuple(true, false),
                        tuple(false, true));
        assertThat(problems).isEmpty();
    }

    @Test
    void whatKeepsRequestsTogetherIsReadInItsOrder() {
        Route.Builder route = route();
        var action = route.getRouteBuilder();
        action.addHashPolicyBuilder().getHeaderBuilder().setHeaderName("x-user");
        action.addHashPolicyBuilder()
                .getCookieBuilder()
                .setName("sid")
                .setPath("/shop")
                .getTtlBuilder()
                .setSeconds(300);
        action.addHashPolicyBuilder().getCookieBuilder().setName("plain");
        action.addHashPolicyBuilder().getQueryParameterBuilder().setName("user");
        action.addHashPolicyBuilder().getConnectionPropertiesBuilder().setSourceIp(true);
        Forward forward =
                (Forward) read(route).hosts().getFirst().routes().getFirst().action();
        assertThat(forward.affinity())
                .containsExactly(
                        new Affinity.Header("x-user"),
                        new Affinity.Cookie("sid", Duration.ofMinutes(5), "/shop"),
                        new Affinity.Cookie("plain", Duration.ZERO, "/"),
                        new Affinity.Query("user"),
                        new Affinity.Source());
        assertThat(problems).isEmpty();
    }

    @Test
    void changesToFieldsThatFrameAMessageAreRefused() {
        Route.Builder route =
                route().addResponseHeadersToRemove("Transfer-Encoding").addRequestHeadersToRemove("x-fine");
        for (String name : List.of("Content-Length", "te", ":path", "a:b", "x-fine")) {
            route.addRequestHeadersToAdd(HeaderValueOption.newBuilder()
                    .setHeader(HeaderValue.newBuilder().setKey(name).setValue("0")));
        }
        read(route);
        String where = "virtual_hosts[0].routes[0].";
        String expected = " (expected: a field that does not frame a message)";
        String noField = " (expected: the name of a header field)";
        assertThat(problems)
                .containsExactlyInAnyOrder(
                        where + "request_headers_to_add.[0].header.key: Content-Length" + expected,
                        where + "request_headers_to_add.[1].header.key: te" + expected,
                        where + "request_headers_to_add.[2].header.key: :path" + noField,
                        where + "request_headers_to_add.[3].header.key: a:b" + noField,
                        where + "response_headers_to_add: removal of Transfer-Encoding" + expected);
    }
}
