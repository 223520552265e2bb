package io.parley.proxy.exchange;

import io.parley.proxy.http.AccessRules;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.Rewrite;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http.WeightedCluster;
import io.parley.proxy.route.RetryBudget;
import io.parley.proxy.route.SmoothWeights;
import io.parley.proxy.route.TokenBucket;
import io.parley.proxy.telemetry.HttpSeries;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A route and what must be remembered from one request on it to the next. Shared by all event loops. */
final class LiveRoute {
    private final Route route;
    private final Policies policies;
    private final List<AccessRules> access;
    private final HttpSeries series;
    private final SmoothWeights weights;
    private final @Nullable TokenBucket bucket;
    private final RetryBudget budget = new RetryBudget();
    private final boolean hasPolicies;
    private final boolean requestUntouched;
    private final boolean responseUntouched;

    LiveRoute(Route route, Policies policies, HttpSeries series, @Nullable TokenBucket bucket) {
        this.route = route;
        this.policies = policies;
        this.series = series;
        this.bucket = bucket;
        this.access = policies.rules().toList();
        this.hasPolicies = !policies.isEmpty();
        this.weights = new SmoothWeights(
                clusters().stream().map(WeightedCluster::weight).toList());
        boolean rewritten = route.action() instanceof RouteAction.Forward forward
                && !forward.rewrite().equals(Rewrite.NONE);
        this.requestUntouched = !rewritten
                && route.request().isEmpty()
                && clusters().stream().allMatch(cluster -> cluster.request().isEmpty());
        this.responseUntouched = route.response().isEmpty()
                && policies.cors() == null
                && clusters().stream().allMatch(cluster -> cluster.response().isEmpty());
    }

    private List<WeightedCluster> clusters() {
        return route.action() instanceof RouteAction.Forward forward ? forward.clusters() : List.of();
    }

    Route route() {
        return route;
    }

    /** Whether nothing about it would change. */
    boolean is(Route other, Policies others, @Nullable TokenBucket limit) {
        return route.equals(other) && policies.equals(others) && bucket == limit;
    }

    Policies policies() {
        return policies;
    }

    /** What must let a request through. */
    List<AccessRules> access() {
        return access;
    }

    /** Whether a request must pass something before it is forwarded. */
    boolean hasPolicies() {
        return hasPolicies;
    }

    HttpSeries series() {
        return series;
    }

    RetryBudget budget() {
        return budget;
    }

    /** Whose turn it is; null if no cluster has a weight. */
    @Nullable
    WeightedCluster next() {
        int index = weights.next();
        return index < 0 ? null : clusters().get(index);
    }

    boolean admits(long now) {
        return bucket == null || bucket.take(now);
    }

    /** Whether a request's head may pass as it is. */
    boolean leavesRequestAlone() {
        return requestUntouched;
    }

    /** Whether an answer's head may pass as it is. */
    boolean leavesResponseAlone() {
        return responseUntouched;
    }
}
