package io.parley.control.insight;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.link.PeerText;
import io.parley.link.telemetry.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The last report of a data plane as part of its insight. */
final class ReportDocument {
    private static final int KEPT_DECISIONS = 100;
    private static final int MAX_COUNTERS = 200;
    private static final String TIME = "time";
    private static final String COUNTERS = "counters";
    private static final Duration WITHOUT_NEWS = Duration.ofMinutes(1);

    private ReportDocument() {}

    /** Whether a report says something beside counters that the last one did not, or the last one is old. */
    static boolean isNews(@Nullable ObjectNode last, ObjectNode report) {
        if (last == null) {
            return true;
        }
        Instant before = Instant.parse(last.path(TIME).asText());
        Instant now = Instant.parse(report.path(TIME).asText());
        return Duration.between(before, now).compareTo(WITHOUT_NEWS) >= 0
                || !last.deepCopy()
                        .without(List.of(TIME, COUNTERS))
                        .equals(report.deepCopy().without(List.of(TIME, COUNTERS)));
    }

    static ObjectNode write(NodeReport report, Instant now) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put(TIME, now.toString());
        tree.put("startedAt", report.startedAt().toString());
        if (!report.lastRefusal().isEmpty()) {
            tree.put("lastRefusal", PeerText.cut(report.lastRefusal()));
        }
        ObjectNode counters = tree.putObject(COUNTERS);
        new TreeMap<>(report.counters())
                .entrySet().stream()
                        .limit(MAX_COUNTERS)
                        .forEach(each -> counters.put(PeerText.cut(each.getKey()), each.getValue()));
        ArrayNode decisions = tree.putArray("decisions");
        report.decisions().stream()
                .skip(Math.max(0, report.decisions().size() - KEPT_DECISIONS))
                .forEach(made -> {
                    ObjectNode each = decisions.addObject();
                    each.put("subject", PeerText.cut(made.subject()));
                    each.put("decision", PeerText.cut(made.decision().value()));
                    each.put("because", PeerText.cut(made.decision().because()));
                    each.put("source", PeerText.cut(made.decision().source().toString()));
                });
        return tree;
    }
}
