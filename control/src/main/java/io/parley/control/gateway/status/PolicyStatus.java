package io.parley.control.gateway.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.control.gateway.attach.Verdict;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.ObjectKinds;
import java.time.Instant;
import java.util.List;

/** Of a BackendTLSPolicy, for each Gateway that has routes to what it is for. */
public record PolicyStatus(long generation, List<Name> gateways, Verdict accepted, Verdict references)
        implements Status {
    private static final Entries ANCESTORS = new Entries("ancestors", "ancestorRef", 16);

    public PolicyStatus {
        gateways = List.copyOf(gateways);
    }

    @Override
    public ObjectNode after(ObjectNode earlier, Instant now) {
        List<Condition> conditions =
                List.of(Condition.of("Accepted", accepted), Condition.of("ResolvedRefs", references));
        List<Entries.Entry> entries = gateways.stream()
                .map(gateway -> new Entries.Entry(reference(gateway), conditions))
                .toList();
        return ANCESTORS.write(earlier, entries, generation, now);
    }

    private static ObjectNode reference(Name gateway) {
        return Conditions.object()
                .put("group", ObjectKinds.GROUP)
                .put("kind", "Gateway")
                .put("namespace", gateway.namespace())
                .put("name", gateway.name());
    }
}
