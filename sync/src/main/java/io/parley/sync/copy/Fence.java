package io.parley.sync.copy;

import io.parley.store.Change;
import java.util.List;

/**
 * Keeps a stream that has been replaced, perhaps by one to another control plane of the same store, from writing once more what is no longer
 * so (docs/decisions/0210).
 */
public interface Fence {
    /** For a store that only one stream writes to. */
    Fence NONE = new Fence() {
        @Override
        public List<Change> proof() {
            return List.of();
        }

        @Override
        public boolean isBroken() {
            return false;
        }
    };

    /** Part of each commit: changes nothing, and is in conflict if another has taken over. */
    List<Change> proof();

    /** Whether another has taken over. */
    boolean isBroken();
}
