package io.parley.store.engine;

import io.parley.resource.ResourceKey;
import io.parley.store.Change;
import io.parley.store.Event;
import io.parley.store.Expected;
import io.parley.store.Failure;
import io.parley.store.Outcome;
import io.parley.store.Revision;
import io.parley.store.StoreException;
import io.parley.store.Stored;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.TreeSet;

/** The rules of a commit: what is expected holds, owners exist, what is unchanged is not written, what is owned goes along. */
public final class Planner {
    private final Map<ResourceKey, Stored> rows = new HashMap<>();
    private final Map<ResourceKey, TreeSet<ResourceKey>> owned = new HashMap<>();
    private final List<Event> events = new ArrayList<>();
    private final Revision revision;
    private final Instant now;

    private Planner(Collection<Stored> before, Revision revision, Instant now) {
        this.revision = revision;
        this.now = now.truncatedTo(ChronoUnit.MILLIS);
        before.forEach(this::keep);
    }

    /**
     * Decides a commit.
     *
     * @param before the rows that {@link Reads#of} asks for
     * @param head the revision that the commit comes after
     * @throws StoreException if a change is refused, and with it the commit
     */
    public static Plan plan(List<Change> changes, Collection<Stored> before, Revision head, Instant now) {
        var planner = new Planner(before, head.next(), now);
        List<Outcome> outcomes = changes.stream().map(planner::apply).toList();
        return new Plan(planner.events.isEmpty() ? head : head.next(), outcomes, planner.events);
    }

    private Outcome apply(Change change) {
        Optional<Stored> present = Optional.ofNullable(rows.get(change.key()));
        demand(change.key(), change.expected(), present);
        return switch (change) {
            case Change.Put put -> put(put, present);
            case Change.Delete delete -> present.<Outcome>map(this::delete).orElse(new Outcome.Missing(delete.key()));
        };
    }

    private static void demand(ResourceKey key, Expected expected, Optional<Stored> present) {
        var actual = present.map(Stored::revision).orElse(null);
        if (!expected.holds(actual)) {
            throw new StoreException(new Failure.Conflict(key, expected, actual));
        }
    }

    private Outcome put(Change.Put put, Optional<Stored> present) {
        if (put.owner() != null && !rows.containsKey(put.owner())) {
            throw new StoreException(new Failure.OwnerMissing(put.key(), put.owner()));
        }
        var fresh = new Stored(put.resource(), revision, 1, put.owner(), now, now);
        if (present.isEmpty()) {
            return new Outcome.Created(write(fresh));
        }
        Stored old = present.get();
        long generation =
                old.generation() + (old.resource().spec().equals(put.resource().spec()) ? 0 : 1);
        var next = new Stored(fresh.resource(), revision, generation, fresh.owner(), old.created(), now);
        boolean same = old.resource().equals(next.resource()) && Objects.equals(old.owner(), next.owner());
        return same ? new Outcome.Unchanged(old) : new Outcome.Updated(write(next));
    }

    private Stored write(Stored stored) {
        forget(stored.key());
        keep(stored);
        events.add(new Event.Written(stored));
        return stored;
    }

    /** Owners come after what they owned, so that no state on the way has an owner missing. */
    private Outcome delete(Stored stored) {
        for (ResourceKey key : withOwned(stored.key()).reversed()) {
            forget(key);
            events.add(new Event.Deleted(key, revision));
        }
        return new Outcome.Deleted(stored);
    }

    private SequencedSet<ResourceKey> withOwned(ResourceKey root) {
        var found = new LinkedHashSet<ResourceKey>();
        var open = new ArrayList<>(List.of(root));
        while (!open.isEmpty()) {
            ResourceKey key = open.removeLast();
            // Ownership may run in a circle, as an owner can be given one later.
            if (found.add(key)) {
                open.addAll(owned.getOrDefault(key, new TreeSet<>()));
            }
        }
        return found;
    }

    private void keep(Stored stored) {
        rows.put(stored.key(), stored);
        if (stored.owner() != null) {
            owned.computeIfAbsent(stored.owner(), _ -> new TreeSet<>()).add(stored.key());
        }
    }

    private void forget(ResourceKey key) {
        Stored stored = rows.remove(key);
        if (stored != null && stored.owner() != null) {
            owned.getOrDefault(stored.owner(), new TreeSet<>()).remove(key);
        }
    }
}
