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
    private static final String CONNECT_TIME = "connectTime";
    private static final String DISCONNECT_TIME = "disconnectTime";

    private InsightDocument() {}

    /** Changes the tree of an insight so that it tells this state. */
    static void update(ObjectNode insight, NodeState state, String controlPlane) {
        ArrayNode subscriptions = insight.withArray(SUBSCRIPTIONS);
        ObjectNode own = null;
        for (JsonNode each : subscriptions) {
            if (each.path("id").asText().equals(state.subscription())) {
                own = (ObjectNode) each;
            } else if (state.disconnected() == null && isEarlierLink(each, state)) {
                // A data plane has one link: what is open from before was cut without our knowing.
                ((ObjectNode) each).put(DISCONNECT_TIME, state.connected().toString());
            }
        }
        if (own == null) {
            own = subscriptions.addObject();
            own.put("id", state.subscription());
        }
        while (subscriptions.size() > KEPT_SUBSCRIPTIONS) {
            subscriptions.remove(0);
        }
        describe(own, state, controlPlane);
        if (state.negotiation() != null) {
            setNegotiation(insight, state.negotiation());
        }
        if (state.report() != null) {
            insight.set("report", state.report());
        }
    }

    private static boolean isEarlierLink(JsonNode subscription, NodeState state) {
        return !subscription.has(DISCONNECT_TIME)
                && state.protocol().equals(DataplaneInsights.LINK)
                && subscription.path("protocol").asText().equals(DataplaneInsights.LINK)
                && Instant.parse(subscription.path(CONNECT_TIME).asText()).isBefore(state.connected());
    }

    /** One that was invalid does not take the place of the one that holds. */
    private static void setNegotiation(ObjectNode insight, ObjectNode negotiation) {
        String name = negotiation.has("problem") ? "invalidNegotiation" : "negotiation";
        String last = insight.path(name).path("time").asText();
        if (last.isEmpty()
                || !Instant.parse(last)
                        .isAfter(Instant.parse(negotiation.path("time").asText()))) {
            insight.set(name, negotiation);
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
        subscription.put(CONNECT_TIME, state.connected().toString());
        Instant disconnected = state.disconnected();
        if (disconnected == null) {
            subscription.remove(DISCONNECT_TIME);
        } else {
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
