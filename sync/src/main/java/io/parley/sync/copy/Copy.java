package io.parley.sync.copy;

import io.parley.resource.Document;
import io.parley.resource.ResourceKey;
import io.parley.store.Revision;
import io.parley.store.Stored;
import org.jspecify.annotations.Nullable;

/**
 * A copy that is stored.
 *
 * @param version the peer's version of what is stored; empty if that is not known
 */
record Copy(
        ResourceKey key,
        Revision revision,
        String version,
        @Nullable Document status) {
    static Copy of(Stored stored, String version) {
        return new Copy(
                stored.key(), stored.revision(), version, stored.resource().status());
    }
}
