package io.parley.store;

import io.parley.resource.ResourceKey;
import org.jspecify.annotations.Nullable;

/** Why a store did not do what was asked. In no case has a part of a commit been stored. */
public sealed interface Failure {
    String message();

    /**
     * Somebody else was faster.
     *
     * @param actual the revision it has, or null if it is not there
     */
    record Conflict(
            ResourceKey key, Expected expected, @Nullable Revision actual) implements Failure {
        @Override
        public String message() {
            return key + ": " + (actual == null ? "absent" : "revision " + actual) + " (expected: " + expected
                    + "); read it again and repeat the change";
        }
    }

    /** A resource was to belong to one that is not there. */
    record OwnerMissing(ResourceKey key, ResourceKey owner) implements Failure {
        @Override
        public String message() {
            return key + ": its owner " + owner + " does not exist; create that first";
        }
    }

    /** A text that not every store could give back unchanged: too long, or no valid Unicode. */
    record Unstorable(ResourceKey key, String what) implements Failure {
        @Override
        public String message() {
            return key + ": " + what;
        }
    }

    /**
     * The database does not answer, or could not make the write durable. The write was not acknowledged; should the database
     * have kept it all the same (the answer to a commit got lost), then repeating it is harmless, for what is unchanged is not
     * written twice.
     */
    record Unavailable(String what) implements Failure {
        @Override
        public String message() {
            return "store unavailable: " + what;
        }
    }

    /** The store cannot be opened as it is: another process has it, it is damaged, or a newer release wrote it. */
    record Unusable(String what) implements Failure {
        @Override
        public String message() {
            return what;
        }
    }

    /** The store or the watch was closed. */
    record Closed() implements Failure {
        @Override
        public String message() {
            return "closed";
        }
    }
}
