package io.parley.control.gateway;

import io.parley.control.node.NodeKey;
import io.parley.link.server.NodeLink;
import io.parley.link.telemetry.NodeReport;
import io.parley.link.telemetry.TelemetrySink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What proxies of gateways last said about clusters: that a backend does not speak what it declares, say. */
public final class GatewayReports implements TelemetrySink {
    /** What one of them said. */
    record Said(String gateway, NodeReport.Made made) {}

    private final Map<String, List<NodeReport.Made>> byGateway = new ConcurrentHashMap<>();

    @Override
    public void report(NodeLink node, NodeReport report) {
        NodeKey key = new NodeKey(node.principal().mesh(), node.principal().name());
        if (key.isGateway()) {
            byGateway.put(key.name(), report.decisions());
        }
    }

    /** About clusters whose names begin so. */
    List<Said> about(String clusters) {
        List<Said> said = new ArrayList<>();
        byGateway.forEach((gateway, decisions) -> decisions.stream()
                .filter(made -> made.subject().startsWith(clusters))
                .forEach(made -> said.add(new Said(gateway, made))));
        return said;
    }
}
