package io.parley.link.telemetry;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.link.CallRefusal;
import io.parley.wire.wrpc.proto.DecisionReport;
import io.parley.wire.wrpc.proto.NodeInsight;
import io.parley.wire.wrpc.proto.ReportRequest;
import java.time.DateTimeException;
import java.time.Instant;

/** Reports as they travel. */
final class ReportMessages {
    /** A report is for people and for a store: more of it than this helps neither. */
    private static final int MAX_ENTRIES = 1_000;

    private ReportMessages() {}

    static ReportRequest write(NodeReport report) {
        var message = ReportRequest.newBuilder()
                .setInsight(NodeInsight.newBuilder()
                        .setStartedAt(report.startedAt().getEpochSecond())
                        .putAllAgreedVersions(report.agreedVersions())
                        .putAllAppliedVersions(report.appliedVersions())
                        .setLastRefusal(report.lastRefusal()))
                .putAllCounters(report.counters());
        for (NodeReport.Made made : report.decisions()) {
            Decision<String> decision = made.decision();
            message.addDecisions(DecisionReport.newBuilder()
                    .setSubject(made.subject())
                    .setValue(decision.value())
                    .setBecause(decision.because())
                    .setResource(decision.source().resource())
                    .setField(decision.source().field())
                    .setRule(decision.source().rule()));
        }
        return message.build();
    }

    static NodeReport read(ReportRequest message) {
        NodeInsight insight = message.getInsight();
        int entries = message.getDecisionsCount()
                + message.getCountersCount()
                + insight.getAgreedVersionsCount()
                + insight.getAppliedVersionsCount();
        if (entries > MAX_ENTRIES) {
            throw CallRefusal.because("report: " + entries + " entries (expected: at most " + MAX_ENTRIES + ")");
        }
        try {
            return new NodeReport(
                    Instant.ofEpochSecond(insight.getStartedAt()),
                    insight.getAgreedVersionsMap(),
                    insight.getAppliedVersionsMap(),
                    insight.getLastRefusal(),
                    message.getDecisionsList().stream()
                            .map(ReportMessages::read)
                            .toList(),
                    message.getCountersMap());
        } catch (IllegalArgumentException | DateTimeException e) {
            throw CallRefusal.because("report: " + e.getMessage());
        }
    }

    private static NodeReport.Made read(DecisionReport made) {
        var source = new Source(made.getResource(), made.getField(), made.getRule());
        return new NodeReport.Made(made.getSubject(), new Decision<>(made.getValue(), made.getBecause(), source));
    }
}
