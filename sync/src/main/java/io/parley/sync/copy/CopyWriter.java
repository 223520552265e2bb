package io.parley.sync.copy;

import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.kind.Kind;
import io.parley.store.Change;
import io.parley.store.Committed;
import io.parley.store.Expected;
import io.parley.store.Failure;
import io.parley.store.Outcome;
import io.parley.store.ResourceStore;
import io.parley.store.StoreException;
import io.parley.store.Stored;
import io.parley.sync.codec.WireName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes copies as one commit, each over the very row that was last seen. If a row is not as expected, all of the batch are looked at anew
 * and it is tried again; what a name belongs to by then decides what becomes of the copy (case 46).
 */
final class CopyWriter {
    private static final int MOST_CONFLICTS = 20;

    private final Kind kind;
    private final ResourceStore store;
    private final CopyRules rules;
    private final Map<String, Copy> copies;

    CopyWriter(Kind kind, ResourceStore store, CopyRules rules, Map<String, Copy> copies) {
        this.kind = kind;
        this.store = store;
        this.rules = rules;
        this.copies = copies;
    }

    void write(List<Wish> wishes, Collection<String> removals, Fence fence, List<Problem> problems) {
        Map<String, Wish> left = new LinkedHashMap<>();
        wishes.forEach(wish -> left.put(wish.name(), wish));
        int conflicts = 0;
        while (true) {
            Map<ResourceKey, String> names = new LinkedHashMap<>();
            List<Change> changes = changes(left, removals, names, problems);
            if (changes.isEmpty()) {
                return;
            }
            changes.addAll(fence.proof());
            try {
                note(store.commit(changes), left, names);
                return;
            } catch (StoreException e) {
                if (e.failure() instanceof Failure.Conflict && fence.isBroken()) {
                    throw new SupersededException(kind.name() + ": a newer stream has taken over");
                }
                // What cannot be stored is left out, so that each such try has less to do; conflicts may come without
                // end.
                conflicts += e.failure() instanceof Failure.Conflict ? 1 : 0;
                if (conflicts >= MOST_CONFLICTS) {
                    throw e;
                }
                recover(e, left, removals, names, problems);
            }
        }
    }

    private List<Change> changes(
            Map<String, Wish> wishes,
            Collection<String> removals,
            Map<ResourceKey, String> names,
            List<Problem> problems) {
        List<Change> changes = new ArrayList<>();
        for (Wish wish : List.copyOf(wishes.values())) {
            Change.Put put = put(wish);
            String other = names.putIfAbsent(put.key(), wish.name());
            if (other == null) {
                changes.add(put);
            } else {
                wishes.remove(wish.name());
                problems.add(new Problem(wish.name(), "would have the same name here as " + other));
            }
        }
        for (String name : removals) {
            Copy copy = copies.get(name);
            if (copy != null && names.putIfAbsent(copy.key(), name) == null) {
                changes.add(new Change.Delete(copy.key(), Expected.exactly(copy.revision())));
            }
        }
        return changes;
    }

    private Change.Put put(Wish wish) {
        Resource wanted = resource(wish);
        Copy copy = copies.get(wish.name());
        if (copy == null) {
            Resource fresh = rules.status() == CopyRules.StatusOf.HERE ? wanted.withStatus(null) : wanted;
            return new Change.Put(fresh, Expected.absent(), rules.owner());
        }
        Resource placed = copy.key().equals(wanted.key()) ? wanted : rules.elsewhere(wanted);
        Resource whole = rules.status() == CopyRules.StatusOf.HERE ? placed.withStatus(copy.status()) : placed;
        return new Change.Put(whole, Expected.exactly(copy.revision()), rules.owner());
    }

    private void note(Committed committed, Map<String, Wish> wishes, Map<ResourceKey, String> names) {
        for (Outcome outcome : committed.outcomes()) {
            switch (outcome) {
                case Outcome.Kept kept -> {
                    @Nullable String name = names.get(kept.stored().key());
                    @Nullable Wish wish = name == null ? null : wishes.get(name);
                    if (name != null && wish != null) { // else it is what the fence adds
                        copies.put(name, Copy.of(kept.stored(), wish.version()));
                    }
                }
                case Outcome.Gone gone -> copies.remove(names.getOrDefault(gone.key(), ""));
            }
        }
    }

    private void recover(
            StoreException e,
            Map<String, Wish> wishes,
            Collection<String> removals,
            Map<ResourceKey, String> names,
            List<Problem> problems) {
        switch (e.failure()) {
            case Failure.Conflict _ -> {
                List.copyOf(wishes.values()).forEach(wish -> lookAgain(wish, wishes, problems));
                removals.forEach(this::lookAgain);
            }
            case Failure.Unstorable unstorable -> {
                String name = names.getOrDefault(unstorable.key(), "");
                if (wishes.remove(name) == null) {
                    throw e;
                }
                problems.add(new Problem(name, String.valueOf(e.getMessage())));
            }
            case Failure.OwnerMissing _, Failure.Unavailable _, Failure.Unusable _, Failure.Closed _ -> throw e;
        }
    }

    private void lookAgain(Wish wish, Map<String, Wish> wishes, List<Problem> problems) {
        Resource wanted = resource(wish);
        Copy copy = copies.remove(wish.name());
        if (copy != null && !copy.key().equals(wanted.key()) && isOurs(copy.key(), wish.name())) {
            return;
        }
        Optional<Stored> present = store.find(wanted.key());
        if (present.isEmpty() || isOurs(wanted.key(), wish.name())) {
            return;
        }
        switch (rules.clash(kind, present.get().resource())) {
            case REPLACE -> copies.put(wish.name(), Copy.of(present.get(), ""));
            case REFUSE -> refuse(wish, wishes, problems);
            case KEEP_BOTH -> {
                Resource elsewhere = rules.elsewhere(wanted);
                if (store.find(elsewhere.key()).isEmpty()) {
                    wishes.put(wish.name(), new Wish(wish.name(), wish.version(), elsewhere));
                } else if (!isOurs(elsewhere.key(), wish.name())) {
                    refuse(wish, wishes, problems);
                }
            }
        }
    }

    private static void refuse(Wish wish, Map<String, Wish> wishes, List<Problem> problems) {
        wishes.remove(wish.name());
        problems.add(new Problem(
                wish.name(), resource(wish).key() + " exists and is not a copy of this one; rename one of the two"));
    }

    private void lookAgain(String removal) {
        Copy copy = copies.remove(removal);
        if (copy != null) {
            var _ = isOurs(copy.key(), removal);
        }
    }

    /** Whether the row is a copy of this; if so it is known from now on as it is. */
    private boolean isOurs(ResourceKey key, String name) {
        @Nullable Stored stored = store.find(key).orElse(null);
        boolean ours = stored != null
                && rules.nameOf(stored.resource())
                        .map(WireName::toString)
                        .filter(name::equals)
                        .isPresent();
        if (ours && stored != null) {
            copies.put(name, Copy.of(stored, ""));
        }
        return ours;
    }

    private static Resource resource(Wish wish) {
        Resource resource = wish.resource();
        if (resource == null) {
            throw new IllegalStateException("a removal is not written: " + wish.name());
        }
        return resource;
    }
}
