package io.parley.store;

import java.util.List;

/**
 * A commit that is durable.
 *
 * @param revision its revision; if no change of it changed anything, the revision of the store at that time
 * @param outcomes one for each change, in the order in which they were given
 */
public record Committed(Revision revision, List<Outcome> outcomes) {
    public Committed {
        outcomes = List.copyOf(outcomes);
    }
}
