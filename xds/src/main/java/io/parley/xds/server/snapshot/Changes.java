package io.parley.xds.server.snapshot;

import java.util.Set;

/**
 * How the resources of one type differ from an earlier state.
 *
 * @param updated names that are new or have another version
 * @param removed names that are gone
 */
public record Changes(Set<String> updated, Set<String> removed) {
    public static final Changes NONE = new Changes(Set.of(), Set.of());

    public boolean isEmpty() {
        return updated.isEmpty() && removed.isEmpty();
    }
}
