package io.parley.resource.policy.circuitbreaker;

import static io.parley.resource.read.DurationRange.ABOVE_ZERO;

import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** When an endpoint is taken out of use, and for how long. */
public record OutlierDetection(
        @Nullable Boolean disabled,
        @Nullable Duration interval,
        @Nullable Duration baseEjectionTime,
        @Nullable Integer maxEjectionPercent,
        @Nullable Boolean splitExternalAndLocalErrors,
        @Nullable BigDecimal healthyPanicThreshold,
        Detectors detectors) {
    /** What counts against an endpoint; null for what does not. */
    public record Detectors(
            @Nullable Consecutive totalFailures,
            @Nullable Consecutive gatewayFailures,
            @Nullable Consecutive localOriginFailures,
            @Nullable SuccessRate successRate,
            @Nullable FailurePercentage failurePercentage) {}

    /** So many failures in a row. */
    public record Consecutive(@Nullable Integer consecutive) {}

    /** Fewer successes than others by so many standard deviations. */
    public record SuccessRate(
            @Nullable Integer minimumHosts,
            @Nullable Integer requestVolume,
            @Nullable BigDecimal standardDeviationFactor) {}

    /** More failures than a share of the requests. */
    public record FailurePercentage(
            @Nullable Integer minimumHosts,
            @Nullable Integer requestVolume,
            @Nullable Integer threshold) {}

    static OutlierDetection read(Fields fields) {
        return new OutlierDetection(
                fields.at("disabled").flag(),
                fields.at("interval").duration(ABOVE_ZERO),
                fields.at("baseEjectionTime").duration(ABOVE_ZERO),
                fields.at("maxEjectionPercent").integer(IntRange.PERCENT),
                fields.at("splitExternalAndLocalErrors").flag(),
                fields.at("healthyPanicThreshold").percentage(),
                fields.at("detectors").requireObject(OutlierDetection::detectors));
    }

    private static Detectors detectors(Fields fields) {
        fields.needAnyOf("totalFailures", "gatewayFailures", "localOriginFailures", "successRate", "failurePercentage");
        return new Detectors(
                fields.at("totalFailures").object(OutlierDetection::consecutive),
                fields.at("gatewayFailures").object(OutlierDetection::consecutive),
                fields.at("localOriginFailures").object(OutlierDetection::consecutive),
                fields.at("successRate")
                        .object(rate -> new SuccessRate(
                                rate.at("minimumHosts").integer(IntRange.ABOVE_ZERO),
                                rate.at("requestVolume").integer(IntRange.ABOVE_ZERO),
                                rate.at("standardDeviationFactor")
                                        .decimal("a number above 0, such as \"1.9\"", number -> number.signum() > 0))),
                fields.at("failurePercentage")
                        .object(share -> new FailurePercentage(
                                share.at("minimumHosts").integer(IntRange.ABOVE_ZERO),
                                share.at("requestVolume").integer(IntRange.ABOVE_ZERO),
                                share.at("threshold").integer(IntRange.PERCENT))));
    }

    private static Consecutive consecutive(Fields fields) {
        return new Consecutive(fields.at("consecutive").integer(IntRange.ABOVE_ZERO));
    }
}
