package io.parley.control.gateway.status;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.control.gateway.attach.CheckedGateway;
import java.util.Optional;

/**
 * What was said before of whether a Gateway, or a listener of it, is programmed.
 *
 * @param condition as it was written; missing if there is none
 * @param generation of the Gateway now
 */
record Earlier(JsonNode condition, long generation) {
    static final String PROGRAMMED = "Programmed";
    static final String INVALID = "Invalid";

    /** Of a Gateway: what was said while it was not valid itself is void as soon as it is; what a proxy refused stays refused. */
    static Earlier ofGateway(JsonNode said, CheckedGateway gateway) {
        JsonNode accepted = Conditions.find(said, each -> isOf(each, "Accepted"));
        return of(said, gateway, accepted.path("status").asText().equals("True"));
    }

    /** Of a listener: one that was not valid is now, or would not be asked about. */
    static Earlier ofListener(JsonNode said, CheckedGateway gateway) {
        return of(said, gateway, false);
    }

    private static Earlier of(JsonNode said, CheckedGateway gateway, boolean keepsInvalid) {
        JsonNode before = Conditions.find(
                said,
                each -> isOf(each, PROGRAMMED)
                        && (keepsInvalid || !each.path("reason").asText().equals(INVALID)));
        return new Earlier(before, gateway.gateway().generation());
    }

    private static boolean isOf(JsonNode condition, String type) {
        return condition.path("type").asText().equals(type);
    }

    /** With the generation that it was said of. */
    Optional<Condition> ofAnyGeneration() {
        return condition.isMissingNode()
                ? Optional.empty()
                : Optional.of(new Condition(
                        PROGRAMMED,
                        condition.path("status").asText().equals("True"),
                        condition.path("reason").asText(),
                        condition.path("message").asText(),
                        condition.path("observedGeneration").asLong()));
    }

    /** Unless it was said of another one, which no longer is. */
    Optional<Condition> ofThisGeneration() {
        return condition.path("observedGeneration").asLong() == generation ? ofAnyGeneration() : Optional.empty();
    }
}
