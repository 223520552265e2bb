package io.parley.control.gateway.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;

/**
 * The part of a status that several controllers write, each for what it looks after: those of others stay, ours are written anew.
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
        for (JsonNode each : earlier.path(list)) {
            if (!isOurs(each)) {
                all.add(each);
            }
        }
        for (Entry entry : entries) {
            if (all.size() >= most) {
                break;
            }
            JsonNode before = Conditions.find(
                    earlier.path(list),
                    each -> isOurs(each) && each.path(reference).equals(entry.about()));
            ObjectNode node = all.addObject();
            node.set(reference, entry.about());
            node.put("controllerName", Status.CONTROLLER);
            node.set("conditions", Conditions.write(entry.conditions(), generation, before.path("conditions"), now));
        }
        return status;
    }

    private static boolean isOurs(JsonNode entry) {
        return entry.path("controllerName").asText().equals(Status.CONTROLLER);
    }
}
