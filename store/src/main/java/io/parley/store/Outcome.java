package io.parley.store;

import io.parley.resource.ResourceKey;

/** What one change of a commit did. */
public sealed interface Outcome {

    /** The resource is there as asked for. */
    sealed interface Kept extends Outcome {
        Stored stored();
    }

    /** The resource is not there, as asked for. */
    sealed interface Gone extends Outcome {
        ResourceKey key();
    }

    /** It was not there before. */
    record Created(Stored stored) implements Kept {}

    /** It was there, and was replaced. */
    record Updated(Stored stored) implements Kept {}

    /** The very same was there already: nothing was written, no event is seen. */
    record Unchanged(Stored stored) implements Kept {}

    /**
     * It was removed.
     *
     * @param last as it was before
     */
    record Deleted(Stored last) implements Gone {
        @Override
        public ResourceKey key() {
            return last.key();
        }
    }

    /** There was nothing to remove. */
    record Missing(ResourceKey key) implements Gone {}
}
