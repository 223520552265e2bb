package io.parley.proxy.exchange;

import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.RateLimit;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.VirtualHost;
import io.parley.proxy.route.TokenBucket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of the limits of one configuration: all requests for which a limit is said in one place take from the same one. A limit that is the same in the next
 * configuration keeps its bucket, so that no change of anything else fills it, be it of what those are answered who are too many.
 */
final class Buckets {
    private final long now;
    private final Map<Said, TokenBucket> before;
    private final Map<Said, TokenBucket> all = new HashMap<>();

    /** Where and what: of the listener without a host, of the host without a route. */
    private record Said(String host, String route, int requests, Duration interval) {}

    Buckets(long now, @Nullable Buckets before) {
        this.now = now;
        this.before = before == null ? Map.of() : before.all;
    }

    /** The bucket for the requests of a route; null if nothing limits them. The narrowest word counts, as in all policies. */
    @Nullable
    TokenBucket of(HttpConfig config, VirtualHost host, Route route) {
        if (route.policies().rateLimit() != null) {
            return bucket(host.name(), route.name(), route.policies().rateLimit());
        }
        return host.policies().rateLimit() == null
                ? of(config)
                : bucket(host.name(), "", host.policies().rateLimit());
    }

    /** The bucket for requests without a route; null if nothing limits them. */
    @Nullable
    TokenBucket of(HttpConfig config) {
        RateLimit limit = config.policies().rateLimit();
        return limit == null ? null : bucket("", "", limit);
    }

    private TokenBucket bucket(String host, String route, RateLimit limit) {
        return all.computeIfAbsent(new Said(host, route, limit.requests(), limit.interval()), said -> {
            TokenBucket kept = before.get(said);
            return kept == null ? new TokenBucket(limit, now) : kept;
        });
    }
}
