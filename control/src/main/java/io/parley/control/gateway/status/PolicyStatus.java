package io.parley.control.gateway.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.control.gateway.attach.Verdict;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.ObjectKinds;
import java.time.Instant;
import java.util.List;

/** Of a BackendTLSPolicy, for each Gateway that has routes to what it is for. */
public record PolicyStatus(long generation, List<Name> gateways, Verdict accepted, Verdict references)
        implements Status {
    /** What the API allows. */
    private static final int MOST = 16;

    public PolicyStatus {
        gateways = List.copyOf(gateways);
    }

    @Override
    public ObjectNode after(ObjectNode earlier, Instant now) {
        ObjectNode status = earlier.deepCopy();
        ArrayNode ancestors = status.putArray("ancestors");
        for (JsonNode each : earlier.path("ancestors")) {
            if (!each.path("controllerName").asText().equals(CONTROLLER)) {
                ancestors.add(each);
            }
        }
        for (Name gateway : gateways) {
            if (ancestors.size() < MOST) {
                ancestors.add(ancestor(gateway, earlier, now));
            }
        }
        return status;
    }

    private ObjectNode ancestor(Name gateway, ObjectNode earlier, Instant now) {
        ObjectNode ref = Conditions.object()
                .put("group", ObjectKinds.GROUP)
                .put("kind", "Gateway")
                .put("namespace", gateway.namespace())
                .put("name", gateway.name());
        JsonNode before = Conditions.find(
                earlier.path("ancestors"),
                each -> each.path("controllerName").asText().equals(CONTROLLER)
                        && each.path("ancestorRef").equals(ref));
        ObjectNode entry = Conditions.object();
        entry.set("ancestorRef", ref);
        entry.put("controllerName", CONTROLLER);
        entry.set(
                "conditions",
                Conditions.write(
                        List.of(Condition.of("Accepted", accepted), Condition.of("ResolvedRefs", references)),
                        generation,
                        before.path("conditions"),
                        now));
        return entry;
    }
}
