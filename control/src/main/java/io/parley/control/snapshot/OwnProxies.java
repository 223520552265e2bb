package io.parley.control.snapshot;

import static io.parley.control.draft.Protos.number;

import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.cluster.v3.OutlierDetection;
import io.envoyproxy.envoy.config.route.v3.RetryPolicy;
import io.envoyproxy.envoy.config.route.v3.RetryPolicy.RetryHostPredicate;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate;
import java.util.List;

/**
 * Leaves out what our own proxies do not do, docs/policies.md: they refuse what they would not honour, and with it all that stands in the
 * same resource.
 */
final class OwnProxies {
    private OwnProxies() {}

    static Cluster known(Cluster cluster) {
        Cluster.Builder known = cluster.toBuilder().clearCommonLbConfig();
        if (cluster.hasCircuitBreakers()) {
            known.getCircuitBreakersBuilder()
                    .getThresholdsBuilderList()
                    .forEach(limits -> limits.clearMaxConnectionPools());
        }
        if (cluster.hasOutlierDetection()) {
            known.setOutlierDetection(known(cluster.getOutlierDetection()));
        }
        return known.build();
    }

    /** Endpoints are judged by failures in a row, not by comparison with others. */
    private static OutlierDetection known(OutlierDetection detection) {
        OutlierDetection.Builder known = detection.toBuilder()
                .clearSuccessRateMinimumHosts()
                .clearSuccessRateRequestVolume()
                .clearSuccessRateStdevFactor()
                .clearFailurePercentageMinimumHosts()
                .clearFailurePercentageRequestVolume()
                .clearFailurePercentageThreshold();
        if (detection.hasEnforcingSuccessRate()) {
            known.setEnforcingSuccessRate(number(0));
        }
        if (detection.hasEnforcingFailurePercentage()) {
            known.setEnforcingFailurePercentage(number(0));
        }
        return known.build();
    }

    /** That a retry goes elsewhere where it can may be asked for: it does so anyway. */
    static void leaveKnown(Route.Builder route) {
        if (!route.hasRoute() || !route.getRoute().hasRetryPolicy()) {
            return;
        }
        RetryPolicy policy = route.getRoute().getRetryPolicy();
        List<RetryHostPredicate> elsewhere = policy.getRetryHostPredicateList().stream()
                .filter(predicate -> predicate.getTypedConfig().is(PreviousHostsPredicate.class))
                .toList();
        route.getRouteBuilder()
                .getRetryPolicyBuilder()
                .clearRateLimitedRetryBackOff()
                .clearRetryPriority()
                .clearRetryHostPredicate()
                .addAllRetryHostPredicate(elsewhere);
    }
}
