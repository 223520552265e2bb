package io.parley.proxy.exchange;

import static io.parley.proxy.exchange.Routes.edits;
import static io.parley.proxy.exchange.Routes.fields;
import static io.parley.proxy.exchange.Routes.path;
import static io.parley.proxy.exchange.Routes.rewriting;
import static io.parley.proxy.exchange.Routes.route;
import static io.parley.proxy.exchange.Routes.share;
import static io.parley.proxy.exchange.Routes.weighted;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.FieldEdits.Edit;
import io.parley.proxy.http.FieldEdits.Kind;
import io.parley.proxy.http.FieldMatch;
import io.parley.proxy.http.FieldMatch.Sense;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.PathMatch;
import io.parley.proxy.http.PathRewrite;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Rewrite;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction.Forward;
import io.parley.proxy.http.RouteAction.Redirect;
import io.parley.proxy.http.RouteAction.Respond;
import io.parley.proxy.http.TextMatch;
import io.parley.proxy.http1.RecordingServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where requests go and what they look like there. Each test fails if what it is named after is not done. */
class RoutingTest {
    private RecordingServer server;
    private RecordingServer other;

    @BeforeEach
    void start() throws IOException {
        server = RecordingServer.answering(_ -> "HTTP/1.1 200 OK\r\nserver: one\r\ncontent-length: 3\r\n\r\none");
        other = RecordingServer.answering(_ -> "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\ntwo");
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        other.close();
    }

    private HttpProxy routing(Route... routes) {
        return HttpProxy.routing(
                List.of(routes),
                HttpProxy.cluster("app", Version.HTTP1, server.port()),
                HttpProxy.cluster("other", Version.HTTP1, other.port()));
    }

    /** The whole answer to a request with these lines of fields. */
    private static String ask(HttpProxy proxy, String line, String... fields) throws IOException {
        try (Client client = Client.to(proxy.address())) {
            String more = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
            return client.send(line + " HTTP/1.1\r\nHost: x.example\r\n" + more + "Connection: close\r\n\r\n")
                    .readAll();
        }
    }

    private static String get(HttpProxy proxy, String target, String... fields) throws IOException {
        return ask(proxy, "GET " + target, fields);
    }

    @Test
    void byPath() throws IOException {
        PathMatch[] matches = {
            new PathMatch.Exact("/exact"),
            new PathMatch.Prefix("/pre"),
            new PathMatch.Segments("/seg"),
            new PathMatch.Regex(Pattern.compile("/re/[0-9]+"))
        };
        List<Route> routes = new ArrayList<>();
        for (PathMatch match : matches) {
            routes.add(route(path(match), Forward.to("other")));
        }
        routes.add(Route.to("app"));
        try (HttpProxy proxy = routing(routes.toArray(Route[]::new))) {
            for (String target : List.of("/exact", "/exact?q", "/prefix", "/seg", "/seg/x", "/seg?q", "/re/42")) {
                assertThat(get(proxy, target)).as(target).endsWith("two");
            }
            for (String target : List.of("/exact/", "/EXACT", "/x/pre", "/segment", "/re/4a", "/re/")) {
                assertThat(get(proxy, target)).as(target).endsWith("one");
            }
        }
    }

    @Test
    void c16_byThePathInItsOneForm() throws IOException {
        Route secret = route(path(new PathMatch.Segments("/secret")), new Respond(403, "no"));
        try (HttpProxy proxy = routing(secret, Route.to("app"))) {
            for (String target : List.of(
                    "/secret",
                    "//secret",
                    "/a/../secret",
                    "/./secret",
                    "/%73ecret",
                    "/secret/",
                    "/a/%2e%2e/secret",
                    "/secret/..//secret")) {
                assertThat(get(proxy, target)).as(target).startsWith("HTTP/1.1 403");
            }
            for (String target : List.of("/a%2fsecret", "/a%5csecret", "/..%2fsecret")) {
                assertThat(get(proxy, target)).as(target).startsWith("HTTP/1.1 400");
            }
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void byMethodFieldAndQuery() throws IOException {
        FieldMatch tenant = FieldMatch.header("X-Tenant", new TextMatch.Exact("gold"), Sense.IS);
        FieldMatch beta = FieldMatch.header("x-beta", new TextMatch.Present(), Sense.IS_NOT);
        FieldMatch page = new FieldMatch("page", new TextMatch.Range(1, 10), Sense.IS);
        try (HttpProxy proxy = routing(
                route(
                        new RequestMatch(RequestMatch.ANY.path(), "DELETE", List.of(), List.of(), RequestMatch.ALL),
                        Forward.to("other")),
                route(fields(tenant, beta), Forward.to("other")),
                route(
                        new RequestMatch(RequestMatch.ANY.path(), null, List.of(), List.of(page), RequestMatch.ALL),
                        Forward.to("other")),
                Route.to("app"))) {
            assertThat(ask(proxy, "DELETE /")).endsWith("two");
            assertThat(get(proxy, "/", "x-tenant: gold")).endsWith("two");
            assertThat(get(proxy, "/", "x-tenant: gold", "x-beta: 1")).endsWith("one");
            assertThat(get(proxy, "/", "x-tenant: Gold")).endsWith("one");
            assertThat(get(proxy, "/", "x-tenant: gold", "x-tenant: gold")).endsWith("one");
            assertThat(get(proxy, "/?a=b&page=9")).endsWith("two");
            assertThat(get(proxy, "/?page=10")).endsWith("one");
        }
    }

    @Test
    void inProportionToWeights() throws IOException {
        try (HttpProxy proxy = routing(route(weighted(share("app", 3), share("other", 1), share("none", 0))))) {
            StringBuilder order = new StringBuilder();
            for (int i = 0; i < 8; i++) {
                String answer = get(proxy, "/");
                order.append(answer.endsWith("one") ? 'a' : 'b');
            }
            assertThat(order.toString()).isEqualTo("aabaaaba");
        }
    }

    @Test
    void aRouteWithoutABackendAnswers500AndWithoutAClusterAnswers503() throws IOException {
        try (HttpProxy proxy = routing(
                route(path(new PathMatch.Exact("/a")), weighted(share("app", 0))),
                route(path(new PathMatch.Exact("/b")), Forward.to("nowhere")))) {
            assertThat(get(proxy, "/a")).startsWith("HTTP/1.1 500").contains("x-parley-error: no-backend");
            assertThat(get(proxy, "/b")).startsWith("HTTP/1.1 503").contains("x-parley-error: no-cluster");
            assertThat(get(proxy, "/c")).startsWith("HTTP/1.1 404").contains("x-parley-error: no-route");
        }
    }

    @Test
    void rewritesPathAndHost() throws IOException {
        try (HttpProxy proxy = routing(
                route(
                        path(new PathMatch.Segments("/a")),
                        rewriting(new Rewrite(new PathRewrite.Segments("/"), "y.example"))),
                route(path(new PathMatch.Prefix("/b")), rewriting(new Rewrite(new PathRewrite.Prefix("/c/"), null))),
                route(path(new PathMatch.Prefix("/d")), rewriting(new Rewrite(new PathRewrite.Whole("/e"), null))),
                route(rewriting(
                        new Rewrite(new PathRewrite.Regex(Pattern.compile("/(v[0-9]+)/"), "/api/\\1/"), null))))) {
            for (String target : List.of("/a/x?q=1", "/a", "/bx", "/dx?q", "/v2/z")) {
                assertThat(get(proxy, target)).endsWith("one");
            }
            assertThat(server.requests())
                    .extracting(request -> request.substring(4, request.indexOf(" HTTP")))
                    .containsExactly("/x?q=1", "/", "/c/x", "/e?q", "/api/v2/z");
            assertThat(server.requests().getFirst()).contains("host: y.example\r\n");
            assertThat(server.requests().getLast()).containsIgnoringCase("host: x.example\r\n");
        }
    }

    @Test
    void redirectsAndAnswersByItself() throws IOException {
        Redirect https = new Redirect(301, "https", null, 0, new PathRewrite.None(), Redirect.Query.KEPT);
        Redirect moved =
                new Redirect(302, null, "y.example", 8443, new PathRewrite.Segments("/new"), Redirect.Query.DROPPED);
        try (HttpProxy proxy = routing(
                route(path(new PathMatch.Segments("/old")), moved),
                route(path(new PathMatch.Exact("/gone")), new Respond(410, "gone")),
                route(https))) {
            assertThat(get(proxy, "/a?b=c"))
                    .startsWith("HTTP/1.1 301")
                    .contains("location: https://x.example/a?b=c\r\n");
            assertThat(get(proxy, "/old/a?b=c"))
                    .startsWith("HTTP/1.1 302")
                    .contains("location: http://y.example:8443/new/a\r\n");
            assertThat(get(proxy, "/gone")).startsWith("HTTP/1.1 410").endsWith("gone");
            assertThat(ask(proxy, "HEAD /gone")).endsWith("\r\n\r\n");
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void changesFieldsOnTheWayThereAndBack() throws IOException {
        FieldEdits there = edits(
                new Edit(Kind.SET, "X-Set", "1"),
                new Edit(Kind.ADD, "X-Add", "2"),
                new Edit(Kind.DEFAULT, "X-Default", "3"),
                new Edit(Kind.REPLACE, "X-Replace", "4"),
                new Edit(Kind.REMOVE, "X-Remove", ""));
        FieldEdits back = edits(new Edit(Kind.SET, "server", "proxy"), new Edit(Kind.ADD, "X-Back", "5"));
        Route route = new Route("r", RequestMatch.ANY, Forward.to("app"), there, back, Policies.NONE);
        try (HttpProxy proxy = routing(route)) {
            assertThat(get(proxy, "/", "X-Set: a", "X-Add: a", "X-Default: a", "X-Remove: a"))
                    .contains("server: proxy\r\n")
                    .contains("x-back: 5\r\n")
                    .doesNotContain("one\r\n");
            assertThat(server.requests().getFirst())
                    .contains("x-set: 1\r\n")
                    .doesNotContain("x-set: a")
                    .contains("x-add: a\r\n")
                    .contains("x-add: 2\r\n")
                    .contains("x-default: a\r\n")
                    .doesNotContain("x-default: 3")
                    .doesNotContain("x-replace")
                    .doesNotContain("x-remove");
        }
    }

    @Test
    void aChangeOfRoutesHoldsForTheNextRequestOnAnOpenConnection() throws IOException {
        try (HttpProxy proxy = routing(Route.to("app"));
                Client client = Client.to(proxy.address())) {
            String request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
            assertThat(client.ask(request)).isEqualTo("one");
            proxy.apply(
                    HttpProxy.routed(List.of(Route.to("other"))),
                    HttpProxy.cluster("app", Version.HTTP1, server.port()),
                    HttpProxy.cluster("other", Version.HTTP1, other.port()));
            assertThat(client.ask(request)).isEqualTo("two");
        }
    }

    /** What is configured instead, if anything, need not be meant for it. */
    @Test
    void aConnectionWhoseWayIsNoLongerConfiguredEndsWithItsNextAnswer() throws IOException {
        try (HttpProxy proxy = routing(Route.to("app"));
                Client client = Client.to(proxy.address())) {
            String request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
            assertThat(client.ask(request)).isEqualTo("one");
            proxy.apply(
                    HttpConfig.simple("another", "other", HttpConfig.Forwarding.KEPT),
                    HttpProxy.cluster("app", Version.HTTP1, server.port()),
                    HttpProxy.cluster("other", Version.HTTP1, other.port()));
            assertThat(client.send(request).readAll())
                    .containsIgnoringCase("connection: close\r\n")
                    .endsWith("one");
            try (Client next = Client.to(proxy.address())) {
                assertThat(next.ask(request)).isEqualTo("two");
            }
        }
    }
}
