package io.parley.control.insight;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.agreement.version.NegotiationAnswer;
import io.parley.control.node.NodeKey;
import io.parley.link.PeerText;
import io.parley.link.auth.NodePrincipal;
import io.parley.link.config.ConfigListener;
import io.parley.link.server.LinkListener;
import io.parley.link.server.NegotiationRecord;
import io.parley.link.server.NodeLink;
import io.parley.link.telemetry.NodeReport;
import io.parley.link.telemetry.TelemetrySink;
import io.parley.wire.wrpc.CloseReason;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * Listens to everything that data planes do on their links, and has it written down. Called on event loops, so it only notes; the
 * {@link InsightWriter} writes later, and of several changes of one data plane only the last.
 */
public final class DataplaneInsights implements LinkListener, ConfigListener, TelemetrySink {
    static final String LINK = "link";

    private final Map<NodeKey, NodeState> states = new ConcurrentHashMap<>();
    private final InsightWriter writer;
    private final InstantSource time;

    public DataplaneInsights(InsightWriter writer, InstantSource time) {
        this.writer = writer;
        this.time = time;
    }

    @Override
    public void negotiated(NegotiationRecord negotiation) {
        NodeKey key = key(negotiation.principal());
        ObjectNode document = NegotiationDocument.write(negotiation);
        NodeState state = NodeState.connected(UUID.randomUUID().toString(), LINK, negotiation.at(), document);
        if (negotiation.answer() instanceof NegotiationAnswer.Invalid) {
            // Nothing was agreed and no end will be told: it is over as soon as it is noted.
            writer.write(key, state.disconnected(negotiation.at()));
            return;
        }
        states.put(key, state);
        writer.write(key, state);
    }

    @Override
    public void disconnected(NegotiationRecord negotiation, CloseReason reason) {
        states.computeIfPresent(key(negotiation.principal()), (key, state) -> {
            // A data plane that came back before its old connection was noticed to be gone is still here.
            if (!state.connected().equals(negotiation.at())) {
                return state;
            }
            writer.write(key, state.disconnected(time.instant()));
            return null;
        });
    }

    @Override
    public void applied(NodeLink node, String type, String version) {
        change(node, state -> state.with(type, state.type(type).applying(version, time.instant())));
    }

    @Override
    public void refused(NodeLink node, String type, String version, String reason) {
        String shown = PeerText.cut(version + ": " + reason);
        change(node, state -> state.with(type, state.type(type).refusing(shown, time.instant())));
    }

    @Override
    public void report(NodeLink node, NodeReport report) {
        ObjectNode document = ReportDocument.write(report, time.instant());
        // Counters differ in every report: without news they are written down once in a while only.
        change(node, state -> ReportDocument.isNews(state.report(), document) ? state.withReport(document) : state);
    }

    private void change(NodeLink node, UnaryOperator<NodeState> change) {
        NodeKey key = key(node.principal());
        states.computeIfPresent(key, (_, state) -> {
            NodeState changed = change.apply(state);
            if (!changed.equals(state)) {
                writer.write(key, changed);
            }
            return changed;
        });
    }

    private static NodeKey key(NodePrincipal principal) {
        return new NodeKey(principal.mesh(), principal.name());
    }
}
