package io.parley.store;

import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import java.util.List;
import java.util.Optional;

/**
 * The state of a mesh. Every method may be called from any thread and blocks until done; what {@code commit} returns is durable.
 * Failures of the world and refusals are {@link StoreException}s. To follow the state: list, then watch after the revision of
 * the first page.
 */
public interface ResourceStore extends AutoCloseable {
    Optional<Stored> find(ResourceKey key);

    Page list(Query query);

    /**
     * Does all of these, as one revision, or none. Later changes see earlier ones.
     *
     * @throws IllegalArgumentException if a key is given twice
     */
    Committed commit(List<Change> changes);

    /** The revision of the last commit. */
    Revision revision();

    /** Follows what is committed after this revision. */
    Watch watch(Revision after);

    @Override
    void close();

    default Outcome.Kept put(Resource resource, Expected expected) {
        return put(new Change.Put(resource, expected, null));
    }

    default Outcome.Kept put(Change.Put change) {
        return (Outcome.Kept) commit(List.of(change)).outcomes().getFirst();
    }

    default Outcome.Gone delete(ResourceKey key, Expected expected) {
        return (Outcome.Gone)
                commit(List.of(new Change.Delete(key, expected))).outcomes().getFirst();
    }
}
