package io.parley.proxy.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.FieldMatch;
import io.parley.proxy.http.FieldMatch.Sense;
import io.parley.proxy.http.PathMatch;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http.RouteTable;
import io.parley.proxy.http.TextMatch;
import io.parley.proxy.http.VirtualHost;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RouterTest {
    private record Request(String authority, String target, Map<String, String> fields) implements RequestView {
        @Override
        public String method() {
            return "GET";
        }

        @Override
        public String scheme() {
            return "http";
        }

        @Override
        public Provenance provenance() {
            return Provenance.of(new InetSocketAddress(0), scheme());
        }

        @Override
        public @Nullable String field(String name) {
            return fields.get(name);
        }
    }

    @Test
    void theFirstThatMatchesIsTakenHoweverItsPathIsWritten() {
        Router<String> router = router(host(
                "*",
                route("regex", new PathMatch.Regex(Pattern.compile("/a/[0-9]+"))),
                route("exact", new PathMatch.Exact("/a/b")),
                route("longer", new PathMatch.Segments("/a/b")),
                route("shorter", new PathMatch.Segments("/a")),
                route("late", new PathMatch.Exact("/a/late")),
                route("letters", new PathMatch.Prefix("/ab")),
                route("rest", new PathMatch.Segments("/"))));
        assertThat(find(router, "x", "/a/7")).isEqualTo("regex");
        assertThat(find(router, "x", "/a/b?q")).isEqualTo("exact");
        assertThat(find(router, "x", "/a/b/c")).isEqualTo("longer");
        assertThat(find(router, "x", "/a/late")).isEqualTo("shorter");
        assertThat(find(router, "x", "/abc")).isEqualTo("letters");
        assertThat(find(router, "x", "/")).isEqualTo("rest");
    }

    @Test
    void aHostIsFoundByItsLongestName() {
        Router<String> router = router(
                host("*", route("any", new PathMatch.Prefix("/"))),
                host("*.example", route("wide", new PathMatch.Prefix("/"))),
                host("*.shop.example", route("narrow", new PathMatch.Prefix("/"))),
                host("a.shop.example", route("exact", new PathMatch.Prefix("/"))));
        assertThat(find(router, "A.shop.example:8080", "/")).isEqualTo("exact");
        assertThat(find(router, "b.shop.example", "/")).isEqualTo("narrow");
        assertThat(find(router, "x.y.example", "/")).isEqualTo("wide");
        assertThat(find(router, "example", "/")).isEqualTo("any");
        assertThat(find(router, "shop.example", "/")).isEqualTo("wide");
    }

    /** DNS takes both for one, so a client could choose another virtual host, and its rules, for the same server. */
    @Test
    void aTrailingDotNamesTheSameHost() {
        Router<String> router = router(
                host("*", route("any", new PathMatch.Prefix("/"))),
                host("*.wide.example", route("suffix", new PathMatch.Prefix("/"))),
                host("secret.example", route("exact", new PathMatch.Prefix("/"))),
                host("secret.example:81", route("port", new PathMatch.Prefix("/"))),
                host("dotted.example.", route("dotted", new PathMatch.Prefix("/"))));
        for (String name : List.of("secret.example", "secret.example.", "Secret.Example.:80", "secret.example:80")) {
            assertThat(find(router, name, "/")).as(name).isEqualTo("exact");
        }
        assertThat(find(router, "secret.example.:81", "/")).isEqualTo("port");
        assertThat(find(router, "a.wide.example.", "/")).isEqualTo("suffix");
        assertThat(find(router, "a.wide.example.:80", "/")).isEqualTo("suffix");
        assertThat(find(router, "dotted.example", "/")).isEqualTo("dotted");
        assertThat(find(router, "dotted.example.", "/")).isEqualTo("dotted");
    }

    /** What is looked up must be what trying one route after the other finds. */
    @Test
    void findsWhatTryingOneAfterTheOtherFinds() {
        long seed = 9;
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            List<Route> routes = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                routes.add(route("r" + i, path(random), random.nextInt(3) == 0));
            }
            Router<String> together = router(host("*", routes.toArray(Route[]::new)));
            for (int i = 0; i < 20; i++) {
                String target = text(random);
                Map<String, String> fields = random.nextBoolean() ? Map.of("x", "1") : Map.of();
                String expected = null;
                for (Route route : routes) {
                    Router<String> alone = router(host("*", route));
                    expected = expected == null ? alone.find(new Request("h", target, fields), () -> 0) : expected;
                }
                assertThat(together.find(new Request("h", target, fields), () -> 0))
                        .as("seed %d, %s in %s", seed, target, routes)
                        .isEqualTo(expected);
            }
        }
    }

    private static PathMatch path(Random random) {
        String text = text(random);
        return switch (random.nextInt(4)) {
            case 0 -> new PathMatch.Exact(text);
            case 1 -> new PathMatch.Prefix(text);
            case 2 -> new PathMatch.Segments(text);
            default -> new PathMatch.Regex(Pattern.compile(Pattern.quote(text) + ".?"));
        };
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder("/");
        int length = random.nextInt(5);
        for (int i = 0; i < length; i++) {
            text.append("ab/".charAt(random.nextInt(3)));
        }
        return text.toString();
    }

    private static @Nullable String find(Router<String> router, String authority, String target) {
        return router.find(new Request(authority, target, Map.of()), () -> 0);
    }

    private static Router<String> router(VirtualHost... hosts) {
        return new Router<>(new RouteTable("t", List.of(hosts)), (_, route) -> route.name());
    }

    private static VirtualHost host(String domain, Route... routes) {
        return new VirtualHost(domain, List.of(domain), List.of(routes), Policies.NONE);
    }

    private static Route route(String name, PathMatch path) {
        return route(name, path, false);
    }

    private static Route route(String name, PathMatch path, boolean field) {
        List<FieldMatch> fields =
                field ? List.of(FieldMatch.header("x", new TextMatch.Exact("1"), Sense.IS)) : List.of();
        return new Route(
                name,
                new RequestMatch(path, null, fields, List.of(), RequestMatch.ALL),
                new RouteAction.Respond(200, ""),
                FieldEdits.NONE,
                FieldEdits.NONE,
                Policies.NONE);
    }
}
