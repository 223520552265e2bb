package io.parley.sync.copy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.agreement.sync.SyncLabels;
import io.parley.resource.Document;
import io.parley.resource.kind.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A spec in which every mention of the zone it comes from is the truth (case 31).
 *
 * @param rewritten whether it had said otherwise
 */
record ZoneAttribution(Document spec, boolean rewritten) {
    static ZoneAttribution of(Kind kind, Document spec, String zone) {
        return switch (kind.name()) {
            case "Dataplane" -> dataplane(spec, zone);
            case "ZoneIngress", "ZoneEgress" -> {
                ObjectNode tree = spec.tree();
                boolean lied = isOther(tree.get("zone"), zone);
                tree.put("zone", zone);
                for (JsonNode service : tree.path("availableServices")) {
                    lied |= set(service.path("tags"), zone);
                }
                yield new ZoneAttribution(Document.of(tree), lied);
            }
            default -> new ZoneAttribution(spec, false);
        };
    }

    private static ZoneAttribution dataplane(Document spec, String zone) {
        // Most say nothing of their zone, and parsing 50,000 of them to find that out takes a second.
        if (!spec.json().contains(SyncLabels.ZONE)) {
            return new ZoneAttribution(spec, false);
        }
        ObjectNode tree = spec.tree();
        JsonNode networking = tree.path("networking");
        boolean lied = set(networking.path("gateway").path("tags"), zone);
        for (JsonNode inbound : networking.path("inbound")) {
            lied |= set(inbound.path("tags"), zone);
        }
        return new ZoneAttribution(lied ? Document.of(tree) : spec, lied);
    }

    private static boolean set(JsonNode tags, String zone) {
        if (tags instanceof ObjectNode object && isOther(object.get(SyncLabels.ZONE), zone)) {
            object.put(SyncLabels.ZONE, zone);
            return true;
        }
        return false;
    }

    private static boolean isOther(@Nullable JsonNode claimed, String zone) {
        return claimed != null && !claimed.isNull() && !claimed.asText().equals(zone);
    }
}
