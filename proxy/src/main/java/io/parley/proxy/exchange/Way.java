package io.parley.proxy.exchange;

import io.parley.proxy.Direction;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.route.RequestView;
import io.parley.proxy.route.Router;
import io.parley.proxy.route.TokenBucket;
import io.parley.proxy.telemetry.HttpSeries;
import io.parley.proxy.telemetry.HttpTelemetry;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One way through the proxy as it is configured at the moment. Connections keep the way and look at its table anew for each request,
 * so that a change holds for the next request on every connection.
 */
public final class Way {
    private static final Route NO_ROUTE = new Route(
            "none", RequestMatch.ANY, new RouteAction.Nothing(), FieldEdits.NONE, FieldEdits.NONE, Policies.NONE);

    /** All that is configured, made ready. */
    public static final class Table {
        private final HttpConfig config;
        private final Router<LiveRoute> router;
        private final @Nullable LiveRoute only;
        private final LiveRoute none;
        private final Map<Place, LiveRoute> live = new HashMap<>();
        private final Buckets buckets;

        /** Where a route is: what must be remembered of it is not lost when others change. */
        private record Place(String host, String route) {}

        private Table(HttpConfig config, Function<String, HttpSeries> series, long now, @Nullable Table before) {
            this.config = config;
            Map<Place, LiveRoute> known = before == null ? Map.of() : before.live;
            this.buckets = new Buckets(now, before == null ? null : before.buckets);
            this.router = new Router<>(config.routes(), (host, route) -> {
                Policies policies = route.policies().over(host.policies()).over(config.policies());
                Place place = new Place(host.name(), route.name());
                TokenBucket bucket = buckets.of(config, host, route);
                LiveRoute same = known.get(place);
                LiveRoute next = same != null && same.is(route, policies, bucket)
                        ? same
                        : new LiveRoute(route, policies, series.apply(route.name()), bucket);
                live.put(place, next);
                return next;
            });
            this.only = router.only();
            this.none = new LiveRoute(NO_ROUTE, config.policies(), series.apply("none"), buckets.of(config));
        }

        public HttpConfig config() {
            return config;
        }

        /** The route of a request, which may be {@link #none}. */
        LiveRoute find(RequestView request, IntSupplier chance) {
            LiveRoute found = only != null ? only : router.find(request, chance);
            return found == null ? none : found;
        }

        /** That of requests for which there is none: what holds for all requests holds for them, too. */
        LiveRoute none() {
            return none;
        }
    }

    private final Function<String, HttpSeries> series;
    private volatile Table table;
    private volatile boolean over;

    public Way(HttpConfig config, Direction direction, String target, HttpTelemetry telemetry, long now) {
        this.series = route -> telemetry.route(direction, target, route);
        this.table = new Table(config, series, now, null);
    }

    public Table table() {
        return table;
    }

    public HttpConfig config() {
        return table.config();
    }

    /** Takes over a changed configuration; an equal one changes nothing, and what is remembered stays. */
    public void update(HttpConfig config, long now) {
        if (!config.equals(table.config)) {
            table = new Table(config, series, now, table);
        }
    }

    /** It is no longer configured, and never will be again. */
    public void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }
}
