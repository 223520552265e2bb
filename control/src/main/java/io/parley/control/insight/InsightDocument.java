package io.parley.control.insight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.TreeMap;

/** Writes the state of a data plane into its insight. What other connections left there stays, as far as it is recent. */
final class InsightDocument {
    private static final int KEPT_SUBSCRIPTIONS = 10;
    private static final String SUBSCRIPTIONS = "subscriptions";
    private static final String DISCONNECT_TIME = "disconnectTime";

    private InsightDocument() {}

    /** Changes the tree of an insight so that it tells this state. */
    static void update(ObjectNode insight, NodeState state, String controlPlane) {
        ArrayNode earlier = insight.withArray(SUBSCRIPTIONS);
        ObjectNode own = null;
        for (JsonNode each : earlier) {
            if (each.path("id").asText().equals(state.subscription())) {
                own = (ObjectNode) each;
            } else if (!each.has(DISCONNECT_TIME)
                    && each.path("protocol").asText().equals(state.protocol())) {
                // A data plane has one connection of a kind: what is open before this one was cut without our knowing.
                ((ObjectNode) each).put(DISCONNECT_TIME, state.connected().toString());
            }
        }
        if (own == null) {
            own = earlier.addObject();
            own.put("id", state.subscription());
        }
        while (earlier.size() > KEPT_SUBSCRIPTIONS) {
            earlier.remove(0);
        }
        describe(own, state, controlPlane);
        if (state.negotiation() != null) {
            insight.set("negotiation", state.negotiation());
        }
        if (state.report() != null) {
            insight.set("report", state.report());
        }
    }

    /** Ends what is still open of a control plane's connections; tells whether there was any. */
    static boolean endAllOf(ObjectNode insight, String controlPlane, Instant now) {
        boolean changed = false;
        for (JsonNode each : insight.path(SUBSCRIPTIONS)) {
            if (!each.has(DISCONNECT_TIME)
                    && each.path("controlPlaneInstanceId").asText().equals(controlPlane)) {
                ((ObjectNode) each).put(DISCONNECT_TIME, now.toString());
                changed = true;
            }
        }
        return changed;
    }

    private static void describe(ObjectNode subscription, NodeState state, String controlPlane) {
        subscription.put("controlPlaneInstanceId", controlPlane);
        subscription.put("protocol", state.protocol());
        subscription.put("connectTime", state.connected().toString());
        Instant disconnected = state.disconnected();
        if (disconnected != null) {
            subscription.put(DISCONNECT_TIME, disconnected.toString());
        }
        ObjectNode status = subscription.putObject("status");
        new TreeMap<>(state.types()).forEach((type, of) -> {
            ObjectNode node = status.putObject(type);
            node.put("responsesAcknowledged", of.applied());
            node.put("responsesRejected", of.refused());
            node.put("version", of.version());
            node.put("lastUpdateTime", of.at().toString());
            if (!of.refusal().isEmpty()) {
                node.put("rejection", of.refusal());
            }
        });
    }
}
