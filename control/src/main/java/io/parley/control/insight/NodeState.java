package io.parley.control.insight;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this control plane knows of one data plane since it connected here.
 *
 * @param subscription names the connection among all that the data plane ever had
 * @param protocol {@code link}, or the xDS method
 * @param disconnected null while it is here
 * @param negotiation null if it has none, as on xDS
 * @param types by resource type
 * @param report the last that it sent; null if none
 */
record NodeState(
        String subscription,
        String protocol,
        Instant connected,
        @Nullable Instant disconnected,
        @Nullable ObjectNode negotiation,
        Map<String, TypeState> types,
        @Nullable ObjectNode report) {
    /**
     * What became of the resources of one type.
     *
     * @param version that the data plane runs on; empty if none yet
     * @param refusal of a later one; empty if there is none
     */
    record TypeState(long applied, long refused, String version, String refusal, Instant at) {
        static final TypeState NONE = new TypeState(0, 0, "", "", Instant.EPOCH);

        TypeState applying(String newVersion, Instant now) {
            return new TypeState(applied + 1, refused, newVersion, "", now);
        }

        /** What stands refused is this, nothing if empty, whatever was applied. */
        TypeState still(String reason) {
            return new TypeState(applied, refused, version, reason, at);
        }

        TypeState refusing(String reason, Instant now) {
            return new TypeState(applied, refused + 1, version, reason, now);
        }
    }

    static NodeState connected(String subscription, String protocol, Instant now, @Nullable ObjectNode negotiation) {
        return new NodeState(subscription, protocol, now, null, negotiation, Map.of(), null);
    }

    TypeState type(String type) {
        return types.getOrDefault(type, TypeState.NONE);
    }

    NodeState with(String type, TypeState state) {
        Map<String, TypeState> copy = new HashMap<>(types);
        copy.put(type, state);
        return new NodeState(subscription, protocol, connected, disconnected, negotiation, Map.copyOf(copy), report);
    }

    NodeState withReport(ObjectNode newReport) {
        return new NodeState(subscription, protocol, connected, disconnected, negotiation, types, newReport);
    }

    NodeState disconnected(Instant now) {
        return new NodeState(subscription, protocol, connected, now, negotiation, types, report);
    }
}
