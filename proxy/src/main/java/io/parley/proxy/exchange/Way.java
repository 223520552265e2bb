package io.parley.proxy.exchange;

import io.parley.proxy.config.Direction;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.route.RequestView;
import io.parley.proxy.route.Router;
import io.parley.proxy.telemetry.HttpTelemetry;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One way through the proxy as it is configured at the moment. Connections keep the way and look at its table anew for each request,
 * so that a change holds for the next request on every connection.
 */
public final class Way {
    private static final Route NO_ROUTE = new Route(
            "none",
            RequestMatch.ANY,
            new RouteAction.Respond(404, ""),
            FieldEdits.NONE,
            FieldEdits.NONE,
            Policies.NONE);

    /** All that is configured, made ready. */
    static final class Table {
        private final HttpConfig config;
        private final Router<LiveRoute> router;
        private final @Nullable LiveRoute only;
        private final LiveRoute none;

        Table(HttpConfig config, Direction direction, String target, HttpTelemetry telemetry, long now) {
            this.config = config;
            this.router = new Router<>(
                    config.routes(),
                    (host, route) -> new LiveRoute(
                            route,
                            route.policies().over(host.policies()).over(config.policies()),
                            telemetry.route(direction, target, route.name()),
                            now));
            this.only = router.only();
            this.none = new LiveRoute(NO_ROUTE, config.policies(), telemetry.route(direction, target, "none"), now);
        }

        HttpConfig config() {
            return config;
        }

        @Nullable
        LiveRoute find(RequestView request, IntSupplier chance) {
            return only != null ? only : router.find(request, chance);
        }

        /** What requests without a route are counted under. */
        LiveRoute none() {
            return none;
        }
    }

    private final Direction direction;
    private final String target;
    private final HttpTelemetry telemetry;
    private volatile Table table;

    public Way(HttpConfig config, Direction direction, String target, HttpTelemetry telemetry, long now) {
        this.direction = direction;
        this.target = target;
        this.telemetry = telemetry;
        this.table = new Table(config, direction, target, telemetry, now);
    }

    Table table() {
        return table;
    }

    public HttpConfig config() {
        return table.config();
    }

    /** Takes over a changed configuration; an equal one changes nothing, and what is remembered stays. */
    public void update(HttpConfig config, long now) {
        if (!config.equals(table.config)) {
            table = new Table(config, direction, target, telemetry, now);
        }
    }
}
