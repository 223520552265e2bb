package io.parley.control.policy;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.agreement.reason.Decision;
import io.parley.control.model.PolicyItem;
import io.parley.resource.Violation;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What several policies add up to.
 *
 * @param conf what holds; empty if no policy says anything
 * @param fields the reason for each field, by its path
 * @param left items that were left out since together with those before them they make no sense
 */
public record Merged<C>(Optional<C> conf, Map<String, Decision<JsonNode>> fields, List<LeftOut> left) {
    /** An item that could not be added to the others. */
    public record LeftOut(PolicyItem item, List<Violation> violations) {}

    public Merged {
        fields = Collections.unmodifiableMap(new TreeMap<>(fields));
        left = List.copyOf(left);
    }
}
