package io.parley.link.telemetry;

import io.parley.agreement.reason.Decision;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What a node says about itself.
 *
 * @param agreedVersions service to version
 * @param appliedVersions resource type to the version in force
 * @param lastRefusal why the node refused the last configuration that it refused; empty if none
 * @param decisions made since the last report
 * @param counters since the start; they only grow
 */
public record NodeReport(
        Instant startedAt,
        Map<String, String> agreedVersions,
        Map<String, String> appliedVersions,
        String lastRefusal,
        List<Made> decisions,
        Map<String, Long> counters) {
    public NodeReport {
        agreedVersions = Map.copyOf(agreedVersions);
        appliedVersions = Map.copyOf(appliedVersions);
        decisions = List.copyOf(decisions);
        counters = Map.copyOf(counters);
    }

    /** A decision, and what it was about. */
    public record Made(String subject, Decision<String> decision) {}
}
