package io.parley.proxy.config.xds;

import com.google.protobuf.UInt32Value;
import io.envoyproxy.envoy.config.cluster.v3.CircuitBreakers;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.cluster.v3.OutlierDetection;
import io.envoyproxy.envoy.config.core.v3.RoutingPriority;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Outliers;
import org.jspecify.annotations.Nullable;

/** Reads what a cluster says about requests, beyond what holds for connections. */
final class HttpUpstreamReader {
    /** Envoy's own, where the field is absent. */
    private static final int DEFAULT_ERRORS = 5;

    private static final int EVERY = 100;

    private HttpUpstreamReader() {}

    static HttpUpstream read(Cluster cluster, Reading reading) {
        HttpUpstream absent = HttpUpstream.DEFAULT;
        UInt32Value most = cluster.getCircuitBreakers().getThresholdsList().stream()
                .filter(one -> one.getPriority() == RoutingPriority.DEFAULT && one.hasMaxRequests())
                .findFirst()
                .map(CircuitBreakers.Thresholds::getMaxRequests)
                .orElseGet(() -> UInt32Value.of(absent.maxRequests()));
        return new HttpUpstream(
                absent.version(),
                absent.otherwise(),
                bounded(most),
                cluster.hasOutlierDetection() ? outliers(cluster.getOutlierDetection(), reading) : null,
                HealthReader.read(cluster, reading));
    }

    /** By default a run of 5xx counts and a run of gateway errors does not, as the fields' own documentation says. */
    private static @Nullable Outliers outliers(OutlierDetection detection, Reading reading) {
        requireNone(detection.getEnforcingSuccessRate(), "enforcing_success_rate", reading);
        requireNone(detection.getEnforcingFailurePercentage(), "enforcing_failure_percentage", reading);
        requireNoneOrAll(detection.getEnforcingConsecutive5Xx(), "enforcing_consecutive_5xx", reading);
        requireNoneOrAll(
                detection.getEnforcingConsecutiveGatewayFailure(), "enforcing_consecutive_gateway_failure", reading);
        boolean servers = !detection.hasEnforcingConsecutive5Xx()
                || detection.getEnforcingConsecutive5Xx().getValue() > 0;
        boolean gateways = detection.getEnforcingConsecutiveGatewayFailure().getValue() > 0;
        if (!servers && !gateways) {
            return null;
        }
        return new Outliers(
                servers ? errors(detection.hasConsecutive5Xx(), detection.getConsecutive5Xx()) : 0,
                gateways
                        ? errors(detection.hasConsecutiveGatewayFailure(), detection.getConsecutiveGatewayFailure())
                        : 0);
    }

    private static void requireNone(UInt32Value percent, String field, Reading reading) {
        if (percent.getValue() != 0) {
            reading.fail(
                    "outlier_detection." + field,
                    percent.getValue() + " (expected: 0, as endpoints are judged by failures in a row alone)");
        }
    }

    private static void requireNoneOrAll(UInt32Value percent, String field, Reading reading) {
        if (percent.getValue() != 0 && percent.getValue() != EVERY) {
            reading.fail("outlier_detection." + field, percent.getValue() + " (expected: 0 or " + EVERY + ")");
        }
    }

    private static int errors(boolean said, UInt32Value number) {
        return said ? bounded(number) : DEFAULT_ERRORS;
    }

    /** Unsigned on the wire: what does not fit means no limit. */
    private static int bounded(UInt32Value number) {
        return number.getValue() < 0 ? Integer.MAX_VALUE : number.getValue();
    }
}
