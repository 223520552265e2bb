package io.parley.control.gateway.route;

import io.parley.resource.gateway.HttpRule;
import io.parley.resource.gateway.RouteFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule with its references followed.
 *
 * @param http null for a rule that looks at no requests
 * @param dropped why it cannot be served as it is; null if it can
 */
public record ResolvedRule(
        int index,
        @Nullable HttpRule http,
        List<Share> shares,
        List<MirrorTo> mirrors,
        @Nullable String dropped) {
    /** A backend's part of the traffic. */
    public record Share(Reached reached, int weight, List<RouteFilter> filters) {
        public Share {
            filters = List.copyOf(filters);
        }
    }

    /** Who else gets a part of it. */
    public record MirrorTo(Target target, int numerator, int denominator) {}

    public ResolvedRule {
        shares = List.copyOf(shares);
        mirrors = List.copyOf(mirrors);
    }

    /** Whether it sends clients elsewhere, for which it needs no backend. */
    boolean redirects() {
        return http != null && http.filters().stream().anyMatch(RouteFilter.Redirect.class::isInstance);
    }
}
