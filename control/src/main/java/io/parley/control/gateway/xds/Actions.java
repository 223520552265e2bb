package io.parley.control.gateway.xds;

import static io.parley.control.draft.Protos.any;
import static io.parley.control.draft.Protos.duration;
import static io.parley.control.draft.Protos.number;

import io.envoyproxy.envoy.config.core.v3.RuntimeFractionalPercent;
import io.envoyproxy.envoy.config.route.v3.RetryPolicy;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import io.envoyproxy.envoy.config.route.v3.WeightedCluster;
import io.parley.agreement.backend.RouteKind;
import io.parley.control.draft.Protos;
import io.parley.control.gateway.route.Reached;
import io.parley.control.gateway.route.ResolvedRule;
import io.parley.control.gateway.route.ResolvedRule.MirrorTo;
import io.parley.control.gateway.route.ResolvedRule.Share;
import io.parley.resource.gateway.HttpMatch;
import io.parley.resource.gateway.HttpRule;
import io.parley.resource.gateway.Retry;
import io.parley.resource.gateway.RouteFilter;
import io.parley.resource.gateway.Session;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What is done with the requests of a rule. */
final class Actions {
    private static final String RETRIED = "retriable-status-codes,connect-failure,refused-stream,reset-before-request";
    private static final Duration USUAL_BACKOFF = Duration.ofMillis(25);

    private final RouteKind kind;
    private final String route;
    private final ResolvedRule rule;
    private final Place place;

    Actions(RouteKind kind, String route, ResolvedRule rule, Place place) {
        this.kind = kind;
        this.route = route;
        this.rule = rule;
        this.place = place;
    }

    /** A rule that sends requests nowhere answers as if what it should send them to were broken. */
    static int errorStatus(RouteKind kind) {
        return kind == RouteKind.GRPC ? 503 : 500;
    }

    void apply(HttpRule http, HttpMatch match, Route.Builder to) {
        if (rule.dropped() != null) {
            to.getDirectResponseBuilder().setStatus(errorStatus(kind));
            return;
        }
        headers(http.filters(), to);
        for (RouteFilter filter : http.filters()) {
            if (filter instanceof RouteFilter.Redirect redirect) {
                to.setRedirect(Redirects.redirect(redirect, match, place));
                return;
            }
        }
        if (rule.shares().stream().noneMatch(share -> share.weight() > 0)) {
            to.getDirectResponseBuilder().setStatus(errorStatus(kind));
            return;
        }
        RouteAction.Builder action = to.getRouteBuilder();
        backends(action);
        times(http, action);
        for (RouteFilter filter : http.filters()) {
            if (filter instanceof RouteFilter.UrlRewrite rewrite) {
                Redirects.rewrite(rewrite, match, action);
            }
        }
        rule.mirrors().forEach(mirror -> mirror(mirror, action));
        Session session = http.session();
        if (session != null) {
            to.putTypedPerFilterConfig(Sessions.FILTER, Sessions.of(session));
            Map<String, String> times = Sessions.times(session);
            if (!times.isEmpty()) {
                to.setMetadata(Protos.extras(times));
            }
        }
    }

    private static void headers(List<RouteFilter> filters, Route.Builder to) {
        for (RouteFilter filter : filters) {
            switch (filter) {
                case RouteFilter.RequestHeaders(var modifier) ->
                    to.addAllRequestHeadersToAdd(Protos.headers(modifier))
                            .addAllRequestHeadersToRemove(modifier.remove());
                case RouteFilter.ResponseHeaders(var modifier) ->
                    to.addAllResponseHeadersToAdd(Protos.headers(modifier))
                            .addAllResponseHeadersToRemove(modifier.remove());
                case RouteFilter.Cors cors ->
                    to.putTypedPerFilterConfig(CorsPolicies.FILTER, any(CorsPolicies.of(cors)));
                case RouteFilter.Redirect _,
                        RouteFilter.UrlRewrite _,
                        RouteFilter.Mirror _,
                        RouteFilter.Foreign _,
                        RouteFilter.Unfit _ -> {}
            }
        }
    }

    private void backends(RouteAction.Builder action) {
        List<Share> shares = rule.shares();
        if (shares.size() == 1 && shares.getFirst().filters().isEmpty()) {
            action.setCluster(cluster(0));
            return;
        }
        WeightedCluster.Builder weighted = action.getWeightedClustersBuilder();
        for (int at = 0; at < shares.size(); at++) {
            Share share = shares.get(at);
            if (share.weight() > 0) {
                WeightedCluster.ClusterWeight.Builder entry =
                        weighted.addClustersBuilder().setName(cluster(at)).setWeight(number(share.weight()));
                headers(share.filters(), entry);
            }
        }
    }

    private static void headers(List<RouteFilter> filters, WeightedCluster.ClusterWeight.Builder to) {
        for (RouteFilter filter : filters) {
            if (filter instanceof RouteFilter.RequestHeaders(var modifier)) {
                to.addAllRequestHeadersToAdd(Protos.headers(modifier)).addAllRequestHeadersToRemove(modifier.remove());
            } else if (filter instanceof RouteFilter.ResponseHeaders(var modifier)) {
                to.addAllResponseHeadersToAdd(Protos.headers(modifier))
                        .addAllResponseHeadersToRemove(modifier.remove());
            }
        }
    }

    private String cluster(int at) {
        return switch (rule.shares().get(at).reached()) {
            case Reached.Usable usable -> usable.target().clusterName();
            case Reached.Broken _ -> Clusters.brokenName(route, rule.index(), at);
        };
    }

    private void times(HttpRule http, RouteAction.Builder action) {
        // A download or a stream may go on for as long as both ends like, unless somebody says otherwise.
        action.setTimeout(duration(http.timeout() == null ? Duration.ZERO : http.timeout()));
        Retry retry = http.retry();
        // The API's "0s" is no limit; a try that may take no time at all could never succeed.
        Duration perTry = http.backendTimeout() == null ? Duration.ZERO : http.backendTimeout();
        if (retry == null && perTry.isZero()) {
            return;
        }
        RetryPolicy.Builder policy = action.getRetryPolicyBuilder();
        if (!perTry.isZero()) {
            policy.setPerTryTimeout(duration(perTry));
        }
        if (retry == null) {
            policy.setNumRetries(number(0));
            return;
        }
        Duration backoff = retry.backoff() == null || retry.backoff().isZero() ? USUAL_BACKOFF : retry.backoff();
        policy.setRetryOn(RETRIED)
                .addAllRetriableStatusCodes(retry.codes())
                .setNumRetries(number(retry.attempts() == null ? 1 : retry.attempts()));
        policy.getRetryBackOffBuilder()
                .setBaseInterval(duration(backoff))
                .setMaxInterval(duration(backoff.multipliedBy(10)));
    }

    private static void mirror(MirrorTo mirror, RouteAction.Builder action) {
        BigDecimal percentage = BigDecimal.valueOf(mirror.numerator())
                .multiply(BigDecimal.valueOf(100))
                .divide(BigDecimal.valueOf(mirror.denominator()), MathContext.DECIMAL32);
        action.addRequestMirrorPoliciesBuilder()
                .setCluster(mirror.target().clusterName())
                .setRuntimeFraction(RuntimeFractionalPercent.newBuilder().setDefaultValue(Protos.share(percentage)));
    }
}
