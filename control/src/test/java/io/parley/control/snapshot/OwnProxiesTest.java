package io.parley.control.snapshot;

import static io.parley.control.draft.Protos.any;
import static io.parley.control.draft.Protos.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.cluster.v3.OutlierDetection;
import io.envoyproxy.envoy.config.route.v3.RetryPolicy;
import io.envoyproxy.envoy.config.route.v3.RetryPolicy.RateLimitedRetryBackOff;
import io.envoyproxy.envoy.config.route.v3.RetryPolicy.RetryHostPredicate;
import io.envoyproxy.envoy.config.route.v3.RetryPolicy.RetryPriority;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.extensions.retry.host.omit_host_metadata.v3.OmitHostMetadataConfig;
import io.envoyproxy.envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate;
import org.junit.jupiter.api.Test;

/** What policies ask for and our own proxies do not do is not sent to them: they would refuse all of the resource. */
class OwnProxiesTest {
    @Test
    void endpointsAreJudgedByFailuresInARowAlone() {
        OutlierDetection row = OutlierDetection.newBuilder()
                .setConsecutive5Xx(number(3))
                .setEnforcingSuccessRate(number(0))
                .build();
        OutlierDetection more = row.toBuilder()
                .setEnforcingSuccessRate(number(100))
                .setSuccessRateMinimumHosts(number(5))
                .setSuccessRateRequestVolume(number(5))
                .setSuccessRateStdevFactor(number(5))
                .setFailurePercentageMinimumHosts(number(5))
                .setFailurePercentageRequestVolume(number(5))
                .setFailurePercentageThreshold(number(5))
                .build();
        assertThat(OwnProxies.known(
                        Cluster.newBuilder().setOutlierDetection(more).build()))
                .isEqualTo(Cluster.newBuilder().setOutlierDetection(row).build());
        Cluster without = Cluster.newBuilder().setName("a").build();
        assertThat(OwnProxies.known(without)).isEqualTo(without);
    }

    @Test
    void aRetryGoesElsewhereAndThatIsAll() {
        RetryHostPredicate elsewhere = RetryHostPredicate.newBuilder()
                .setTypedConfig(any(PreviousHostsPredicate.getDefaultInstance()))
                .build();
        Route.Builder route = Route.newBuilder();
        route.getRouteBuilder()
                .setRetryPolicy(RetryPolicy.newBuilder()
                        .setRetryOn("5xx")
                        .addRetryHostPredicate(elsewhere)
                        .addRetryHostPredicate(RetryHostPredicate.newBuilder()
                                .setTypedConfig(any(OmitHostMetadataConfig.getDefaultInstance())))
                        .setRetryPriority(RetryPriority.getDefaultInstance())
                        .setRateLimitedRetryBackOff(RateLimitedRetryBackOff.getDefaultInstance()));
        OwnProxies.leaveKnown(route);
        assertThat(route.getRoute().getRetryPolicy())
                .isEqualTo(RetryPolicy.newBuilder()
                        .setRetryOn("5xx")
                        .addRetryHostPredicate(elsewhere)
                        .build());
        Route.Builder redirect = Route.newBuilder();
        redirect.getRedirectBuilder().setHostRedirect("a.example");
        OwnProxies.leaveKnown(redirect);
        assertThat(redirect.hasRedirect()).isTrue();
    }
}
