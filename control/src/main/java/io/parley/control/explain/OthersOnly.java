package io.parley.control.explain;

import java.util.List;
import java.util.Map;

/** Settings that Envoy honours and our own proxies do not: docs/policies.md has the same list. */
final class OthersOnly {
    static final Map<String, List<String>> FIELDS = Map.of(
            "MeshTimeout", List.of("http.maxStreamDuration", "http.maxConnectionDuration"),
            "MeshRetry", List.of("tcp.maxConnectAttempt", "http.rateLimitedBackOff", "http.hostSelection"),
            "MeshCircuitBreaker",
                    List.of(
                            "connectionLimits.maxRetries",
                            "connectionLimits.maxConnectionPools",
                            "outlierDetection.detectors.successRate",
                            "outlierDetection.detectors.failurePercentage"),
            "MeshHealthCheck",
                    List.of(
                            "healthyPanicThreshold",
                            "failTrafficOnPanic",
                            "initialJitter",
                            "intervalJitter",
                            "noTrafficInterval",
                            "eventLogPath",
                            "alwaysLogHealthCheckFailures",
                            "reuseConnection"));

    private OthersOnly() {}

    /** Whether a setting of a policy, {@code http.requestTimeout} or so, has no effect in our own proxies. */
    static boolean include(String kind, String field) {
        return FIELDS.getOrDefault(kind, List.of()).stream().anyMatch(field::startsWith);
    }
}
