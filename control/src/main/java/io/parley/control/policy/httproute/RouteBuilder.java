package io.parley.control.policy.httproute;

import static io.parley.control.draft.Protos.number;
import static io.parley.control.draft.Protos.share;

import io.envoyproxy.envoy.config.core.v3.RuntimeFractionalPercent;
import io.envoyproxy.envoy.config.route.v3.QueryParameterMatcher;
import io.envoyproxy.envoy.config.route.v3.RedirectAction;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import io.envoyproxy.envoy.config.route.v3.RouteAction.RequestMirrorPolicy;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.config.route.v3.WeightedCluster;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import io.parley.control.draft.HeaderMatchers;
import io.parley.control.draft.OutboundDraft;
import io.parley.control.draft.Protos;
import io.parley.control.draft.ProxyDraft;
import io.parley.control.draft.Rewrites;
import io.parley.control.policy.Destination;
import io.parley.resource.policy.TargetRef;
import io.parley.resource.policy.httproute.Filter;
import io.parley.resource.policy.httproute.PathRewrite;
import io.parley.resource.policy.httproute.RequestMatch;
import io.parley.resource.policy.httproute.Routes.BackendRef;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Routes in the words of Envoy. */
final class RouteBuilder {
    private static final int UNAVAILABLE = 500;

    private final OutboundDraft outbound;
    private final ProxyDraft draft;

    RouteBuilder(OutboundDraft outbound, ProxyDraft draft) {
        this.outbound = outbound;
        this.draft = draft;
    }

    Route.Builder route(RequestMatch match, HttpRouteEffect.Rule rule) {
        Route.Builder route = Route.newBuilder().setName(rule.policy()).setMatch(match(match));
        List<Filter> filters = rule.filters() == null ? List.of() : rule.filters();
        for (Filter filter : filters) {
            if (filter instanceof Filter.RequestRedirect redirect) {
                return route.setRedirect(redirect(redirect, match));
            }
        }
        backends(rule.backendRefs(), route);
        filters.forEach(filter -> apply(filter, match, route));
        return route;
    }

    private RouteMatch match(RequestMatch match) {
        RouteMatch.Builder builder = RouteMatch.newBuilder();
        RequestMatch.PathMatch path = match.path();
        if (path == null) {
            builder.setPrefix("/");
        } else {
            switch (path.type()) {
                case EXACT -> builder.setPath(path.value());
                case REGULAR_EXPRESSION -> builder.setSafeRegex(HeaderMatchers.regex(path.value()));
                case PATH_PREFIX -> {
                    if (path.value().equals("/")) {
                        builder.setPrefix("/");
                    } else {
                        builder.setPathSeparatedPrefix(path.value());
                    }
                }
            }
        }
        if (match.method() != null) {
            builder.addHeaders(HeaderMatchers.method(match.method()));
        }
        match.headers().forEach(header -> builder.addHeaders(HeaderMatchers.of(header)));
        match.queryParams().forEach(query -> builder.addQueryParameters(query(query)));
        return builder.build();
    }

    private static QueryParameterMatcher query(RequestMatch.QueryMatch query) {
        StringMatcher.Builder value = StringMatcher.newBuilder();
        switch (query.type()) {
            case EXACT -> value.setExact(query.value());
            case REGULAR_EXPRESSION -> value.setSafeRegex(HeaderMatchers.regex(query.value()));
        }
        return QueryParameterMatcher.newBuilder()
                .setName(query.name())
                .setStringMatch(value)
                .build();
    }

    /** Without backends requests go where they were going; a share of nothing but zeros is answered with an error. */
    private void backends(@Nullable List<BackendRef> refs, Route.Builder route) {
        if (refs == null || refs.isEmpty()) {
            route.getRouteBuilder().setCluster(outbound.destination().clusterName());
            return;
        }
        if (refs.size() == 1 && refs.getFirst().weight() > 0) {
            route.getRouteBuilder().setCluster(cluster(refs.getFirst().target()));
            return;
        }
        long total = refs.stream().mapToLong(BackendRef::weight).sum();
        if (total == 0 || total > 0xFFFF_FFFFL) {
            route.getDirectResponseBuilder().setStatus(UNAVAILABLE);
            return;
        }
        WeightedCluster.Builder weighted = route.getRouteBuilder().getWeightedClustersBuilder();
        refs.forEach(ref -> weighted.addClusters(WeightedCluster.ClusterWeight.newBuilder()
                .setName(cluster(ref.target()))
                .setWeight(number(ref.weight()))));
    }

    private String cluster(TargetRef target) {
        String service = target.name() == null ? "" : target.name();
        return draft.cluster(Destination.of(draft.mesh(), service, target.tags()))
                .name();
    }

    private void apply(Filter filter, RequestMatch match, Route.Builder route) {
        switch (filter) {
            case Filter.RequestHeaders(var modifier) ->
                route.addAllRequestHeadersToAdd(Protos.headers(modifier))
                        .addAllRequestHeadersToRemove(modifier.remove());
            case Filter.ResponseHeaders(var modifier) ->
                route.addAllResponseHeadersToAdd(Protos.headers(modifier))
                        .addAllResponseHeadersToRemove(modifier.remove());
            case Filter.UrlRewrite rewrite -> {
                if (route.hasRoute()) {
                    rewrite(rewrite, match, route.getRouteBuilder());
                }
            }
            case Filter.RequestMirror(BigDecimal percentage, TargetRef backend) -> {
                if (route.hasRoute()) {
                    route.getRouteBuilder()
                            .addRequestMirrorPolicies(RequestMirrorPolicy.newBuilder()
                                    .setCluster(cluster(backend))
                                    .setRuntimeFraction(RuntimeFractionalPercent.newBuilder()
                                            .setDefaultValue(
                                                    share(percentage == null ? BigDecimal.valueOf(100) : percentage))));
                }
            }
            case Filter.RequestRedirect _ -> throw new IllegalStateException("a redirect has no other filters");
        }
    }

    private static void rewrite(Filter.UrlRewrite rewrite, RequestMatch match, RouteAction.Builder action) {
        if (rewrite.hostname() != null) {
            action.setHostRewriteLiteral(rewrite.hostname());
        }
        PathRewrite path = rewrite.path();
        if (path == null) {
            return;
        }
        switch (path.type()) {
            case REPLACE_FULL_PATH -> action.setRegexRewrite(Rewrites.wholePath(path.value()));
            case REPLACE_PREFIX_MATCH ->
                Rewrites.prefix(prefix(match), path.value(), action::setPrefixRewrite, action::setRegexRewrite);
        }
    }

    private static String prefix(RequestMatch match) {
        return match.path() == null ? "/" : match.path().value();
    }

    private static RedirectAction redirect(Filter.RequestRedirect redirect, RequestMatch match) {
        RedirectAction.Builder action =
                RedirectAction.newBuilder().setResponseCode(Rewrites.code(redirect.statusCode()));
        if (redirect.scheme() != null) {
            action.setSchemeRedirect(redirect.scheme());
        }
        if (redirect.hostname() != null) {
            action.setHostRedirect(redirect.hostname());
        }
        if (redirect.port() != null) {
            action.setPortRedirect(redirect.port());
        }
        PathRewrite path = redirect.path();
        if (path != null) {
            switch (path.type()) {
                case REPLACE_FULL_PATH -> action.setPathRedirect(Rewrites.rooted(path.value()));
                case REPLACE_PREFIX_MATCH ->
                    Rewrites.prefix(prefix(match), path.value(), action::setPrefixRewrite, action::setRegexRewrite);
            }
        }
        return action.build();
    }
}
