package io.parley.store.engine;

import io.parley.resource.ResourceKey;
import io.parley.store.Change;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What must be read before a commit can be decided.
 *
 * @param keys the rows of these, where they exist
 * @param roots and the rows that these own, directly or through others
 */
public record Reads(Set<ResourceKey> keys, Set<ResourceKey> roots) {
    public Reads {
        keys = Set.copyOf(keys);
        roots = Set.copyOf(roots);
    }

    /** Also refuses what no store could keep, before any is asked. */
    public static Reads of(List<Change> changes) {
        var changed = new HashSet<ResourceKey>();
        var owners = new HashSet<ResourceKey>();
        boolean deletes = false;
        for (Change change : changes) {
            if (!changed.add(change.key())) {
                throw new IllegalArgumentException("changed twice in one commit: " + change.key());
            }
            switch (change) {
                case Change.Put put -> {
                    Storable.demand(put.resource());
                    if (put.owner() != null) {
                        Storable.demand(put.owner());
                        owners.add(put.owner());
                    }
                }
                case Change.Delete delete -> {
                    Storable.demand(delete.key());
                    deletes = true;
                }
            }
        }
        // A put may move a resource, and with it all that it owns, under one that the same commit deletes.
        Set<ResourceKey> roots = deletes ? Set.copyOf(changed) : Set.of();
        changed.addAll(owners);
        return new Reads(changed, roots);
    }
}
