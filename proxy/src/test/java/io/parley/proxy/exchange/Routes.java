package io.parley.proxy.exchange;

import io.parley.proxy.http.Affinity;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.FieldEdits.Edit;
import io.parley.proxy.http.FieldMatch;
import io.parley.proxy.http.Mirror;
import io.parley.proxy.http.PathMatch;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.RetryPolicy;
import io.parley.proxy.http.Rewrite;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http.RouteAction.Forward;
import io.parley.proxy.http.WeightedCluster;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Routes with one thing to say each. */
final class Routes {
    private Routes() {}

    static Route route(RequestMatch match, RouteAction action) {
        return new Route("r", match, action, FieldEdits.NONE, FieldEdits.NONE, Policies.NONE);
    }

    static Route route(RouteAction action) {
        return route(RequestMatch.ANY, action);
    }

    static Route route(Policies policies) {
        return new Route("r", RequestMatch.ANY, Forward.to("app"), FieldEdits.NONE, FieldEdits.NONE, policies);
    }

    static RequestMatch path(PathMatch path) {
        return new RequestMatch(path, null, List.of(), List.of(), RequestMatch.ALL);
    }

    static RequestMatch fields(FieldMatch... fields) {
        return new RequestMatch(RequestMatch.ANY.path(), null, List.of(fields), List.of(), RequestMatch.ALL);
    }

    static Forward rewriting(Rewrite rewrite) {
        return new Forward(Forward.to("app").clusters(), rewrite, null, null, null, List.of(), List.of());
    }

    static Forward limited(@Nullable Duration timeout, @Nullable RetryPolicy retry) {
        return new Forward(Forward.to("app").clusters(), Rewrite.NONE, timeout, null, retry, List.of(), List.of());
    }

    static Forward mirrored(String cluster) {
        return new Forward(
                Forward.to("app").clusters(),
                Rewrite.NONE,
                null,
                null,
                null,
                List.of(new Mirror(cluster, 1_000_000)),
                List.of());
    }

    static Forward affine(Affinity affinity) {
        return new Forward(Forward.to("app").clusters(), Rewrite.NONE, null, null, null, List.of(), List.of(affinity));
    }

    static Forward weighted(WeightedCluster... clusters) {
        return new Forward(List.of(clusters), Rewrite.NONE, null, null, null, List.of(), List.of());
    }

    static WeightedCluster share(String cluster, int weight) {
        return new WeightedCluster(cluster, weight, FieldEdits.NONE, FieldEdits.NONE);
    }

    static FieldEdits edits(Edit... edits) {
        return new FieldEdits(List.of(edits));
    }

    /** So many retries after 5xx or no answer, one after the other. */
    static RetryPolicy retries(int count, int budgetPercent, @Nullable Duration perTry) {
        return new RetryPolicy(
                List.of(),
                Set.of(RetryPolicy.On.SERVER_ERROR),
                Set.of(),
                List.of(),
                Set.of(),
                count,
                perTry,
                Duration.ofMillis(1),
                Duration.ofMillis(2),
                budgetPercent);
    }
}
