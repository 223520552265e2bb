package io.parley.store;

import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import org.jspecify.annotations.Nullable;

/** One wish of a commit. */
public sealed interface Change {
    ResourceKey key();

    Expected expected();

    /**
     * Store this, whole: what was there before, its owner included, is replaced.
     *
     * @param owner a resource that exists, whose deletion takes this one along; or null
     */
    record Put(
            Resource resource, Expected expected, @Nullable ResourceKey owner) implements Change {
        public Put {
            if (resource.key().equals(owner)) {
                throw new IllegalArgumentException("owner: " + owner + " (expected: another resource than the owned)");
            }
        }

        @Override
        public ResourceKey key() {
            return resource.key();
        }
    }

    /** Remove this, and all that it owns. Removing what is not there is no error unless a revision was expected. */
    record Delete(ResourceKey key, Expected expected) implements Change {}
}
