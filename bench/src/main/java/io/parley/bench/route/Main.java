package io.parley.bench.route;

import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.PathMatch;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http.RouteTable;
import io.parley.proxy.http.VirtualHost;
import io.parley.proxy.route.Provenance;
import io.parley.proxy.route.RequestView;
import io.parley.proxy.route.Router;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code bench/run route [ROUTES,ROUTES…]}: nanoseconds to find a route among many, on one host and on as many hosts as routes. */
public final class Main {
    private static final int ROUNDS = 2_000_000;
    private static final int WARM_UPS = 3;
    private static final int REQUESTS = 1_024;

    private Main() {}

    private record Request(String authority, String target) implements RequestView {
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
            return null;
        }
    }

    private enum Shape {
        EXACT,
        PREFIX,
        HOSTS
    }

    /** Runs it. */
    public static void main(String[] args) {
        PrintStream out = System.out;
        out.println("| routes | exact paths, one host | prefixes, one host | one host each |");
        out.println("|---|---|---|---|");
        for (String count : (args.length > 0 ? args[0] : "10,100,2000").split(",", -1)) {
            int routes = Integer.parseInt(count);
            out.printf(
                    "| %d | %.0f ns | %.0f ns | %.0f ns |%n",
                    routes, nanos(routes, Shape.EXACT), nanos(routes, Shape.PREFIX), nanos(routes, Shape.HOSTS));
        }
    }

    private static double nanos(int count, Shape shape) {
        Router<String> router = new Router<>(table(count, shape), (_, route) -> route.name());
        Request[] requests = new Request[REQUESTS];
        for (int i = 0; i < REQUESTS; i++) {
            int route = (int) ((long) i * count / REQUESTS);
            requests[i] = new Request(
                    shape == Shape.HOSTS ? "host-" + route + ".example" : "shop.example",
                    path(route, shape) + (shape == Shape.PREFIX ? "/items/7?q=1" : ""));
        }
        double best = Double.MAX_VALUE;
        for (int i = 0; i <= WARM_UPS; i++) {
            best = Math.min(best, round(router, requests));
        }
        return best;
    }

    private static double round(Router<String> router, Request[] requests) {
        int found = 0;
        long from = System.nanoTime();
        for (int i = 0; i < ROUNDS; i++) {
            found += router.find(requests[i % REQUESTS], () -> 0) == null ? 0 : 1;
        }
        long took = System.nanoTime() - from;
        if (found != ROUNDS) {
            throw new IllegalStateException("found: " + found + " (expected: " + ROUNDS + ")");
        }
        return (double) took / ROUNDS;
    }

    private static String path(int route, Shape shape) {
        return shape == Shape.HOSTS ? "/" : "/team-" + route % 40 + "/service-" + route + "/v1";
    }

    private static RouteTable table(int count, Shape shape) {
        List<VirtualHost> hosts = new ArrayList<>();
        List<Route> routes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Route route = route(i, shape);
            if (shape == Shape.HOSTS) {
                hosts.add(new VirtualHost("h" + i, List.of("host-" + i + ".example"), List.of(route), Policies.NONE));
            } else {
                routes.add(route);
            }
        }
        if (shape != Shape.HOSTS) {
            hosts.add(new VirtualHost("all", List.of("*"), routes, Policies.NONE));
        }
        return new RouteTable("bench", hosts);
    }

    private static Route route(int number, Shape shape) {
        String path = path(number, shape);
        return new Route(
                "route-" + number,
                new RequestMatch(
                        shape == Shape.PREFIX ? new PathMatch.Segments(path) : new PathMatch.Exact(path),
                        null,
                        List.of(),
                        List.of(),
                        RequestMatch.ALL),
                RouteAction.Forward.to("cluster-" + number),
                FieldEdits.NONE,
                FieldEdits.NONE,
                Policies.NONE);
    }
}
