package io.parley.link.telemetry;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.link.CallRefusal;
import io.parley.link.PeerText;
import io.parley.wire.wrpc.proto.DecisionReport;
import io.parley.wire.wrpc.proto.NodeInsight;
import io.parley.wire.wrpc.proto.ReportRequest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

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
                    versions(insight.getAgreedVersionsMap()),
                    versions(insight.getAppliedVersionsMap()),
                    PeerText.cut(insight.getLastRefusal()),
                    message.getDecisionsList().stream()
                            .map(ReportMessages::read)
                            .toList(),
                    named(message.getCountersMap()));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw CallRefusal.because("report: " + e.getMessage());
        }
    }

    private static NodeReport.Made read(DecisionReport made) {
        var source = new Source(
                PeerText.cut(made.getResource()), PeerText.cut(made.getField()), PeerText.cut(made.getRule()));
        var decision = new Decision<>(PeerText.cut(made.getValue()), PeerText.cut(made.getBecause()), source);
        return new NodeReport.Made(PeerText.cut(made.getSubject()), decision);
    }

    private static Map<String, String> versions(Map<String, String> reported) {
        var versions = new HashMap<>(named(reported));
        versions.replaceAll((_, version) -> PeerText.cut(version));
        return versions;
    }

    /** Names are not cut, since two of them could become one. */
    private static <T> Map<String, T> named(Map<String, T> reported) {
        for (String name : reported.keySet()) {
            if (name.length() > PeerText.MAX_LENGTH) {
                throw CallRefusal.because("report: a name of " + name.length() + " characters (expected: at most "
                        + PeerText.MAX_LENGTH + ")");
            }
        }
        return reported;
    }
}
