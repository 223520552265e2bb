package io.parley.control.insight;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.link.telemetry.NodeReport;
import java.time.Instant;
import java.util.TreeMap;

/** The last report of a data plane as part of its insight. */
final class ReportDocument {
    private static final int KEPT_DECISIONS = 100;

    private ReportDocument() {}

    static ObjectNode write(NodeReport report, Instant now) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put("time", now.toString());
        tree.put("startedAt", report.startedAt().toString());
        if (!report.lastRefusal().isEmpty()) {
            tree.put("lastRefusal", report.lastRefusal());
        }
        ObjectNode counters = tree.putObject("counters");
        new TreeMap<>(report.counters()).forEach(counters::put);
        ArrayNode decisions = tree.putArray("decisions");
        report.decisions().stream()
                .skip(Math.max(0, report.decisions().size() - KEPT_DECISIONS))
                .forEach(made -> {
                    ObjectNode each = decisions.addObject();
                    each.put("subject", made.subject());
                    each.put("decision", made.decision().value());
                    each.put("because", made.decision().because());
                    each.put("source", made.decision().source().toString());
                });
        return tree;
    }
}
