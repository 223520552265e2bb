package io.parley.resource.policy.circuitbreaker;

import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import org.jspecify.annotations.Nullable;

/** What a MeshCircuitBreaker sets. */
public record Breaker(
        @Nullable ConnectionLimits connectionLimits,
        @Nullable OutlierDetection outlierDetection) {
    /** How much may be under way to a destination at once. */
    public record ConnectionLimits(
            @Nullable Integer maxConnections,
            @Nullable Integer maxConnectionPools,
            @Nullable Integer maxPendingRequests,
            @Nullable Integer maxRetries,
            @Nullable Integer maxRequests) {}

    static Breaker read(Fields fields) {
        fields.needAnyOf("connectionLimits", "outlierDetection");
        return new Breaker(
                fields.at("connectionLimits").object(Breaker::connectionLimits),
                fields.at("outlierDetection").object(OutlierDetection::read));
    }

    private static ConnectionLimits connectionLimits(Fields fields) {
        return new ConnectionLimits(
                fields.at("maxConnections").integer(IntRange.ABOVE_ZERO),
                fields.at("maxConnectionPools").integer(IntRange.ABOVE_ZERO),
                fields.at("maxPendingRequests").integer(IntRange.ABOVE_ZERO),
                fields.at("maxRetries").integer(IntRange.ABOVE_ZERO),
                fields.at("maxRequests").integer(IntRange.ABOVE_ZERO));
    }
}
