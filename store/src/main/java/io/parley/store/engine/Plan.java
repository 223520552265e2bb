package io.parley.store.engine;

import io.parley.store.Event;
import io.parley.store.Outcome;
import io.parley.store.Revision;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedCollection;

/**
 * What a commit will do, decided before the first row is touched.
 *
 * @param revision the commit's own revision, or the store's present one if there are no events
 * @param events what watchers will see, in order
 */
public record Plan(Revision revision, List<Outcome> outcomes, List<Event> events) {
    public Plan {
        outcomes = List.copyOf(outcomes);
        events = List.copyOf(events);
    }

    public boolean changesNothing() {
        return events.isEmpty();
    }

    /** The last event of each key, which is what its row must look like afterwards. */
    public SequencedCollection<Event> finalEvents() {
        var last = new LinkedHashMap<Object, Event>();
        events.forEach(event -> last.put(event.key(), event));
        return last.sequencedValues();
    }
}
