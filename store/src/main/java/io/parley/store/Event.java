package io.parley.store;

import io.parley.resource.ResourceKey;

/** Something that happened to one resource. */
public sealed interface Event {
    ResourceKey key();

    Revision revision();

    /** It was made or changed, and looked like this at that revision. */
    record Written(Stored stored) implements Event {
        @Override
        public ResourceKey key() {
            return stored.key();
        }

        @Override
        public Revision revision() {
            return stored.revision();
        }
    }

    /** It was removed, by name or along with its owner. */
    record Deleted(ResourceKey key, Revision revision) implements Event {}
}
