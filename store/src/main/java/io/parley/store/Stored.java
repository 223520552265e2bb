package io.parley.store;

import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A resource as the store holds it.
 *
 * @param revision the commit that wrote it last, which is its version for optimistic locking
 * @param generation counts from 1 what it was asked to be: grows with its spec, and with nothing else
 * @param owner whose deletion takes this one along, or null
 * @param created when it came to be, in whole milliseconds
 * @param modified when it was written last, in whole milliseconds
 */
public record Stored(
        Resource resource,
        Revision revision,
        long generation,
        @Nullable ResourceKey owner,
        Instant created,
        Instant modified) {
    public ResourceKey key() {
        return resource.key();
    }

    public Stored with(Resource other) {
        return new Stored(other, revision, generation, owner, created, modified);
    }
}
