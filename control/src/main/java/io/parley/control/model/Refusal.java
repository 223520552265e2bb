package io.parley.control.model;

import io.parley.resource.ResourceKey;
import io.parley.resource.Violation;
import java.util.List;

/** A stored resource that cannot be used; what it said before, if it was good then, still holds. */
public record Refusal(ResourceKey key, List<Violation> violations) {
    public Refusal {
        violations = List.copyOf(violations);
    }
}
