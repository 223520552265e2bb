package io.parley.control.policy.circuitbreaker;

import static io.parley.control.draft.Protos.duration;
import static io.parley.control.draft.Protos.number;

import com.google.protobuf.UInt32Value;
import io.envoyproxy.envoy.config.cluster.v3.CircuitBreakers.Thresholds;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.parley.control.draft.PolicyEffect;
import io.parley.control.draft.ProxyDraft;
import io.parley.control.policy.Matched;
import io.parley.control.policy.PolicyKind;
import io.parley.resource.policy.circuitbreaker.Breaker;
import io.parley.resource.policy.circuitbreaker.Breaker.ConnectionLimits;
import io.parley.resource.policy.circuitbreaker.MeshCircuitBreaker;
import io.parley.resource.policy.circuitbreaker.OutlierDetection;
import io.parley.resource.policy.circuitbreaker.OutlierDetection.Detectors;
import java.math.BigDecimal;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Limits what is under way to each destination and to the workload itself, and takes bad endpoints out of use. */
public final class CircuitBreakerEffect implements PolicyEffect<Breaker> {
    public static final PolicyKind<Breaker> KIND = PolicyKind.traffic("MeshCircuitBreaker", MeshCircuitBreaker.READER);

    private static final int EVERY = 100;
    private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);

    @Override
    public PolicyKind<Breaker> kind() {
        return KIND;
    }

    @Override
    public void apply(Matched<Breaker> matched, ProxyDraft draft) {
        draft.clusters()
                .forEach(cluster -> matched.to(cluster.destination())
                        .conf()
                        .ifPresent(breaker -> breaker(breaker, cluster.cluster())));
        draft.inbounds()
                .forEach(inbound -> matched.inbound(inbound.inbound())
                        .conf()
                        .ifPresent(breaker -> breaker(breaker, inbound.application())));
    }

    private static void breaker(Breaker breaker, Cluster.Builder cluster) {
        if (breaker.connectionLimits() != null) {
            limits(
                    breaker.connectionLimits(),
                    cluster.getCircuitBreakersBuilder().addThresholdsBuilder());
        }
        OutlierDetection detection = breaker.outlierDetection();
        if (detection != null && !Boolean.TRUE.equals(detection.disabled())) {
            detection(detection, cluster.getOutlierDetectionBuilder());
        }
        if (detection != null && detection.healthyPanicThreshold() != null) {
            cluster.getCommonLbConfigBuilder()
                    .getHealthyPanicThresholdBuilder()
                    .setValue(detection.healthyPanicThreshold().doubleValue());
        }
    }

    private static void limits(ConnectionLimits limits, Thresholds.Builder thresholds) {
        set(limits.maxConnections(), thresholds::setMaxConnections);
        set(limits.maxConnectionPools(), thresholds::setMaxConnectionPools);
        set(limits.maxPendingRequests(), thresholds::setMaxPendingRequests);
        set(limits.maxRetries(), thresholds::setMaxRetries);
        set(limits.maxRequests(), thresholds::setMaxRequests);
    }

    private static void detection(
            OutlierDetection detection, io.envoyproxy.envoy.config.cluster.v3.OutlierDetection.Builder outliers) {
        if (detection.interval() != null) {
            outliers.setInterval(duration(detection.interval()));
        }
        if (detection.baseEjectionTime() != null) {
            outliers.setBaseEjectionTime(duration(detection.baseEjectionTime()));
        }
        set(detection.maxEjectionPercent(), outliers::setMaxEjectionPercent);
        outliers.setSplitExternalLocalOriginErrors(Boolean.TRUE.equals(detection.splitExternalAndLocalErrors()));
        detectors(detection.detectors(), outliers);
    }

    /** What is not asked for is switched off: Envoy has some of them on unless told otherwise. */
    private static void detectors(
            Detectors detectors, io.envoyproxy.envoy.config.cluster.v3.OutlierDetection.Builder outliers) {
        consecutive(detectors.totalFailures(), outliers::setConsecutive5Xx, outliers::setEnforcingConsecutive5Xx);
        consecutive(
                detectors.gatewayFailures(),
                outliers::setConsecutiveGatewayFailure,
                outliers::setEnforcingConsecutiveGatewayFailure);
        consecutive(
                detectors.localOriginFailures(),
                outliers::setConsecutiveLocalOriginFailure,
                outliers::setEnforcingConsecutiveLocalOriginFailure);
        var rate = detectors.successRate();
        outliers.setEnforcingSuccessRate(number(rate == null ? 0 : EVERY));
        if (rate != null) {
            set(rate.minimumHosts(), outliers::setSuccessRateMinimumHosts);
            set(rate.requestVolume(), outliers::setSuccessRateRequestVolume);
            BigDecimal factor = rate.standardDeviationFactor();
            set(factor == null ? null : factor.multiply(THOUSAND).intValue(), outliers::setSuccessRateStdevFactor);
        }
        var share = detectors.failurePercentage();
        outliers.setEnforcingFailurePercentage(number(share == null ? 0 : EVERY));
        if (share != null) {
            set(share.minimumHosts(), outliers::setFailurePercentageMinimumHosts);
            set(share.requestVolume(), outliers::setFailurePercentageRequestVolume);
            set(share.threshold(), outliers::setFailurePercentageThreshold);
        }
    }

    private static void consecutive(
            OutlierDetection.@Nullable Consecutive detector,
            Function<UInt32Value, ? extends Object> count,
            Function<UInt32Value, ? extends Object> enforcing) {
        set(detector == null ? null : detector.consecutive(), count);
        var _ = enforcing.apply(number(detector == null ? 0 : EVERY));
    }

    private static void set(@Nullable Integer value, Function<UInt32Value, ? extends Object> setter) {
        if (value != null) {
            var _ = setter.apply(number(value));
        }
    }
}
