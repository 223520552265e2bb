package io.parley.control.gateway.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

/** Conditions as documents. */
final class Conditions {
    private Conditions() {}

    /** The types that we say something about; all others are somebody else's. */
    private static final Set<String> OURS = Set.of(
            "Accepted",
            "Programmed",
            "ResolvedRefs",
            "Conflicted",
            "PartiallyInvalid",
            "InsecureFrontendValidationMode");

    /** How many the API allows in one list. */
    private static final int MOST = 8;

    /** A time is kept for as long as its condition holds or does not. What others say stays as it is, after ours. */
    static ArrayNode write(List<Condition> conditions, long generation, JsonNode earlier, Instant now) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (Condition condition : conditions) {
            String status = condition.holds() ? "True" : "False";
            Long observed = condition.observed();
            array.addObject()
                    .put("type", condition.type())
                    .put("status", status)
                    .put("observedGeneration", observed == null ? generation : observed)
                    .put("lastTransitionTime", since(condition.type(), status, earlier, now))
                    .put("reason", condition.reason())
                    .put("message", condition.message());
        }
        for (JsonNode each : earlier) {
            if (array.size() < MOST && !OURS.contains(each.path("type").asText())) {
                array.add(each);
            }
        }
        return array;
    }

    private static String since(String type, String status, JsonNode earlier, Instant now) {
        for (JsonNode each : earlier) {
            if (each.path("type").asText().equals(type)
                    && each.path("status").asText().equals(status)) {
                String time = each.path("lastTransitionTime").asText();
                if (!time.isEmpty()) {
                    return time;
                }
            }
        }
        return now.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** The item of a list that fits, or nothing. */
    static JsonNode find(JsonNode list, java.util.function.Predicate<JsonNode> rule) {
        for (JsonNode each : list) {
            if (rule.test(each)) {
                return each;
            }
        }
        return JsonNodeFactory.instance.missingNode();
    }

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
