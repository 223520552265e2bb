package io.parley.proxy.exchange;

import static io.parley.proxy.exchange.Routes.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.Direction;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.AccessRules;
import io.parley.proxy.http.AccessRules.AccessPolicy;
import io.parley.proxy.http.AccessRules.Condition;
import io.parley.proxy.http.AccessRules.Effect;
import io.parley.proxy.http.AccessRules.Mode;
import io.parley.proxy.http.Cors;
import io.parley.proxy.http.Fault;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.FieldMatch;
import io.parley.proxy.http.FieldMatch.Sense;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.PathMatch;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RateLimit;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http.TextMatch;
import io.parley.proxy.http1.RecordingServer;
import io.parley.proxy.telemetry.Telemetry;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a request must pass before it is forwarded. */
class PoliciesTest {
    private static final int ALWAYS = 1_000_000;

    private RecordingServer server;

    @BeforeEach
    void start() throws IOException {
        server = RecordingServer.ok();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private HttpProxy with(Policies policies) {
        return HttpProxy.routing(List.of(route(policies)), HttpProxy.cluster("app", Version.HTTP1, server.port()));
    }

    private static Policies access(AccessRules... rules) {
        return new Policies(null, null, Map.of("rbac", List.of(rules)), null);
    }

    private static AccessRules rules(Effect effect, Mode mode, Condition permission) {
        return new AccessRules(
                effect, List.of(new AccessPolicy("p", List.of(new Condition.Any()), List.of(permission))), mode);
    }

    static String ask(HttpProxy proxy, String line, String... fields) throws IOException {
        try (Client client = Client.to(proxy.address())) {
            String more = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
            return client.send(line + " HTTP/1.1\r\nHost: x.example\r\n" + more + "Connection: close\r\n\r\n")
                    .readAll();
        }
    }

    @Test
    void deniesWhatRulesForbid() throws IOException {
        Condition admin = new Condition.Path(new TextMatch.Prefix("/admin"));
        try (HttpProxy proxy = with(access(rules(Effect.DENY, Mode.ENFORCED, admin)))) {
            assertThat(ask(proxy, "GET /")).startsWith("HTTP/1.1 200");
            for (String target : List.of("/admin", "//admin/x", "/a/../admin", "/%61dmin")) {
                assertThat(ask(proxy, "GET " + target)).as(target).startsWith("HTTP/1.1 403");
            }
            assertThat(proxy.errors("denied")).isEqualTo(4);
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void allowsOnlyWhatRulesAllow() throws IOException {
        Condition reading = new Condition.Field(new FieldMatch(":method", new TextMatch.Exact("GET"), Sense.IS));
        try (HttpProxy proxy = with(access(rules(Effect.ALLOW, Mode.ENFORCED, reading)))) {
            assertThat(ask(proxy, "GET /")).startsWith("HTTP/1.1 200");
            assertThat(ask(proxy, "DELETE /")).startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void aClientWithoutANameIsNobody() throws IOException {
        AccessRules members = new AccessRules(
                Effect.ALLOW,
                List.of(new AccessPolicy(
                        "members",
                        List.of(new Condition.Identity(new TextMatch.Prefix("spiffe://"))),
                        List.of(new Condition.Any()))),
                Mode.ENFORCED);
        try (HttpProxy proxy = with(access(members))) {
            assertThat(ask(proxy, "GET /")).startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void rulesInTheShadowAreOnlyCounted() throws IOException {
        try (HttpProxy proxy = with(access(rules(Effect.DENY, Mode.SHADOW, new Condition.Any())))) {
            assertThat(ask(proxy, "GET /")).startsWith("HTTP/1.1 200");
            assertThat(proxy.errors("shadow-denied")).isEqualTo(1);
        }
    }

    @Test
    void letsThroughNoMoreThanTheLimit() throws IOException {
        FieldEdits edits = Routes.edits(
                new FieldEdits.Edit(FieldEdits.Kind.SET, "x-limit", "3"),
                new FieldEdits.Edit(FieldEdits.Kind.ADD, "retry-after", "3600"));
        RateLimit three = new RateLimit(3, Duration.ofHours(1), 429, edits);
        try (HttpProxy proxy = with(new Policies(null, three, Map.of(), null))) {
            for (int i = 0; i < 3; i++) {
                assertThat(ask(proxy, "GET /")).startsWith("HTTP/1.1 200");
            }
            assertThat(ask(proxy, "GET /"))
                    .startsWith("HTTP/1.1 429")
                    .contains("x-parley-error: rate-limited", "x-limit: 3\r\n", "retry-after: 3600\r\n");
            assertThat(server.requests()).hasSize(3);
        }
    }

    @Test
    void whatIsLimitedForAllRoutesIsLimitedForThemTogether() throws IOException {
        RateLimit two = new RateLimit(2, Duration.ofHours(1), 429, FieldEdits.NONE);
        HttpConfig config = limited(two, "/a", "/b");
        try (HttpProxy proxy = HttpProxy.with(config, HttpProxy.cluster("app", Version.HTTP1, server.port()))) {
            assertThat(ask(proxy, "GET /a")).startsWith("HTTP/1.1 200");
            assertThat(ask(proxy, "GET /b")).startsWith("HTTP/1.1 200");
            assertThat(ask(proxy, "GET /a")).startsWith("HTTP/1.1 429");
            assertThat(ask(proxy, "GET /b")).startsWith("HTTP/1.1 429");
        }
    }

    /** As in Envoy, whose filters stand before its routes' answers. */
    @Test
    void whatHoldsForAllRequestsHoldsForThoseWithoutARouteToo() throws IOException {
        RateLimit one = new RateLimit(1, Duration.ofHours(1), 429, FieldEdits.NONE);
        try (HttpProxy proxy =
                HttpProxy.with(limited(one, "/a"), HttpProxy.cluster("app", Version.HTTP1, server.port()))) {
            assertThat(ask(proxy, "GET /nothing")).startsWith("HTTP/1.1 404").contains("x-parley-error: no-route");
            assertThat(ask(proxy, "GET /nothing")).startsWith("HTTP/1.1 429");
            assertThat(ask(proxy, "GET /a")).startsWith("HTTP/1.1 429");
        }
    }

    @Test
    void aLimitIsNotForgottenWhenARouteChanges() {
        RateLimit one = new RateLimit(1, Duration.ofHours(1), 429, FieldEdits.NONE);
        var telemetry = new Telemetry(() -> 0L).http();
        Way way = new Way(limited(one, "/a"), Direction.INBOUND, "port 80", telemetry, 0);
        assertThat(way.table().none().admits(0)).isTrue();

        way.update(limited(one, "/a", "/b"), 1);
        assertThat(way.table().none().admits(1)).isFalse();

        way.update(limited(new RateLimit(1, Duration.ofHours(1), 503, FieldEdits.NONE), "/a"), 1);
        assertThat(way.table().none().admits(1)).as("by another answer").isFalse();

        way.update(limited(new RateLimit(5, Duration.ofHours(1), 429, FieldEdits.NONE), "/a"), 2);
        assertThat(way.table().none().admits(2)).as("by another limit").isTrue();
    }

    private static HttpConfig limited(RateLimit limit, String... paths) {
        List<Route> routes = Arrays.stream(paths)
                .map(path -> new Route(
                        path,
                        Routes.path(new PathMatch.Exact(path)),
                        RouteAction.Forward.to("app"),
                        FieldEdits.NONE,
                        FieldEdits.NONE,
                        Policies.NONE))
                .toList();
        HttpConfig plain = HttpProxy.routed(routes);
        return new HttpConfig(
                plain.name(),
                plain.routes(),
                new Policies(null, limit, Map.of(), null),
                plain.timeouts(),
                plain.limits(),
                plain.paths(),
                plain.forwarding(),
                plain.trustedHops(),
                plain.telling());
    }

    @Test
    void rulesOfARouteCountInsteadOfThoseOfTheirOwnFilterOnly() throws IOException {
        AccessRules nothingElse =
                rules(Effect.DENY, Mode.ENFORCED, new Condition.Path(new TextMatch.Prefix("/secret")));
        AccessRules nobody = rules(Effect.DENY, Mode.ENFORCED, new Condition.Any());
        Policies wide = new Policies(null, null, Map.of("a", List.of(nothingElse), "b", List.of(nobody)), null);
        Policies narrow = new Policies(null, null, Map.of("b", List.of()), null);
        try (HttpProxy proxy = with(narrow.over(wide))) {
            assertThat(ask(proxy, "GET /open")).startsWith("HTTP/1.1 200");
            assertThat(ask(proxy, "GET /secret")).startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void tellsBrowsersWhoMayReadAnswers() throws IOException {
        Cors cors = new Cors(
                List.of(new TextMatch.Exact("https://page.example")),
                List.of("GET", "PUT"),
                List.of("x-token"),
                List.of("x-total"),
                Duration.ofMinutes(10),
                Cors.Credentials.ALLOWED);
        try (HttpProxy proxy = with(new Policies(null, null, Map.of(), cors))) {
            assertThat(ask(
                            proxy,
                            "OPTIONS /",
                            "Origin: https://page.example",
                            "Access-Control-Request-Method: PUT",
                            "Access-Control-Request-Headers: x-token"))
                    .startsWith("HTTP/1.1 200")
                    .contains("access-control-allow-origin: https://page.example\r\n")
                    .contains("access-control-allow-methods: GET, PUT\r\n")
                    .contains("access-control-allow-headers: x-token\r\n")
                    .contains("access-control-max-age: 600\r\n");
            assertThat(server.requests()).isEmpty();
            assertThat(ask(proxy, "GET /", "Origin: https://page.example"))
                    .contains("access-control-allow-origin: https://page.example\r\n")
                    .contains("access-control-allow-credentials: true\r\n")
                    .contains("access-control-expose-headers: x-total\r\n")
                    .endsWith("ok");
            assertThat(ask(proxy, "GET /", "Origin: https://evil.example"))
                    .doesNotContain("access-control")
                    .endsWith("ok");
        }
    }

    /** Else a browser would not let the page see so much as the status. */
    @Test
    void tellsThemAlsoOfWhatTheProxyAnswersItself() throws IOException {
        Cors cors = new Cors(
                List.of(new TextMatch.Exact("https://page.example")),
                List.of("GET"),
                List.of(),
                List.of("retry-after"),
                null,
                Cors.Credentials.ALLOWED);
        AccessRules nobody = rules(Effect.DENY, Mode.ENFORCED, new Condition.Any());
        RateLimit none = new RateLimit(0, Duration.ofHours(1), 429, FieldEdits.NONE);
        Fault failing = new Fault(List.of(), null, new Fault.Abort(500, null, ALWAYS), null);
        Map<String, Policies> answers = Map.of(
                "403", new Policies(null, null, Map.of("rbac", List.of(nobody)), cors),
                "429", new Policies(null, none, Map.of(), cors),
                "500", new Policies(List.of(failing), null, Map.of(), cors));
        for (var answer : answers.entrySet()) {
            try (HttpProxy proxy = with(answer.getValue())) {
                assertThat(ask(proxy, "GET /", "Origin: https://page.example"))
                        .startsWith("HTTP/1.1 " + answer.getKey())
                        .contains("access-control-allow-origin: https://page.example\r\n")
                        .contains("access-control-allow-credentials: true\r\n")
                        .contains("access-control-expose-headers: retry-after\r\n", "vary: Origin\r\n");
                assertThat(ask(proxy, "GET /", "Origin: https://evil.example"))
                        .startsWith("HTTP/1.1 " + answer.getKey())
                        .contains("vary: Origin\r\n")
                        .doesNotContain("access-control");
            }
        }
        int nobodyThere = server.port();
        server.close();
        try (HttpProxy proxy = HttpProxy.routing(
                List.of(route(new Policies(null, null, Map.of(), cors))),
                HttpProxy.cluster("app", Version.HTTP1, nobodyThere))) {
            assertThat(ask(proxy, "GET /", "Origin: https://page.example"))
                    .startsWith("HTTP/1.1 503")
                    .contains("access-control-allow-origin: https://page.example\r\n");
        }
    }

    /** A cache must know all that an answer depends on, also for those whom it is not for. */
    @Test
    void whatAnAnswerDependsOnIsToldBesideWhatTheServerSays() throws IOException {
        Cors cors = new Cors(
                List.of(new TextMatch.Exact("https://page.example")),
                List.of("GET"),
                List.of(),
                List.of(),
                null,
                Cors.Credentials.REFUSED);
        try (RecordingServer varying = RecordingServer.answering(
                        _ -> "HTTP/1.1 200 OK\r\nvary: accept-encoding\r\ncontent-length: 2\r\n\r\nok");
                HttpProxy proxy = HttpProxy.routing(
                        List.of(route(new Policies(null, null, Map.of(), cors))),
                        HttpProxy.cluster("app", Version.HTTP1, varying.port()))) {
            for (String origin : List.of("Origin: https://page.example", "Origin: https://evil.example", "X-None: 1")) {
                assertThat(ask(proxy, "GET /", origin))
                        .as(origin)
                        .contains("vary: accept-encoding\r\n", "vary: Origin\r\n");
            }
        }
    }
}
