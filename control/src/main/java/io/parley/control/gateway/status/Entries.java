package io.parley.control.gateway.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of a status that several controllers write, each for what it looks after. Entries of others stay, and each stays where it
 * is: two controllers that put their own in order would never be done with each other.
 *
 * @param list the field that has them
 * @param reference the field of an entry that says what it is about
 * @param most how many the API allows, those of others included
 */
record Entries(String list, String reference, int most) {
    /** One of ours. */
    record Entry(ObjectNode about, List<Condition> conditions) {}

    ObjectNode write(ObjectNode earlier, List<Entry> entries, long generation, Instant now) {
        ObjectNode status = earlier.deepCopy();
        ArrayNode all = status.putArray(list);
        List<Entry> fresh = new ArrayList<>(entries);
        for (JsonNode each : earlier.path(list)) {
            if (!isOurs(each)) {
                all.add(each);
                continue;
            }
            entries.stream()
                    .filter(entry -> each.path(reference).equals(entry.about()))
                    .filter(fresh::remove)
                    .findFirst()
                    .ifPresent(entry -> write(entry, each.path("conditions"), generation, now, all));
        }
        fresh.stream()
                .limit(Math.max(0, most - all.size()))
                .forEach(entry -> write(entry, MissingNode.getInstance(), generation, now, all));
        return status;
    }

    private void write(Entry entry, JsonNode before, long generation, Instant now, ArrayNode to) {
        ObjectNode node = to.addObject();
        node.set(reference, entry.about());
        node.put("controllerName", Status.CONTROLLER);
        node.set("conditions", Conditions.write(entry.conditions(), generation, before, now));
    }

    private static boolean isOurs(JsonNode entry) {
        return entry.path("controllerName").asText().equals(Status.CONTROLLER);
    }
}
