package io.parley.store;

import org.jspecify.annotations.Nullable;

/** What must be true of a resource for a change of it to be taken. */
public sealed interface Expected {
    static Expected anything() {
        return new Anything();
    }

    static Expected absent() {
        return new Absent();
    }

    static Expected present() {
        return new Present();
    }

    static Expected exactly(Revision revision) {
        return new Exactly(revision);
    }

    /** True if the resource, which is now at this revision or absent, is as expected. */
    default boolean holds(@Nullable Revision actual) {
        return switch (this) {
            case Anything _ -> true;
            case Absent _ -> actual == null;
            case Present _ -> actual != null;
            case Exactly(Revision revision) -> revision.equals(actual);
        };
    }

    /** The last writer wins. */
    record Anything() implements Expected {
        @Override
        public String toString() {
            return "anything";
        }
    }

    /** It must not exist. */
    record Absent() implements Expected {
        @Override
        public String toString() {
            return "absent";
        }
    }

    /** It must exist, as whatever. */
    record Present() implements Expected {
        @Override
        public String toString() {
            return "present";
        }
    }

    /** It must exist and not have changed since it was read. */
    record Exactly(Revision revision) implements Expected {
        @Override
        public String toString() {
            return "revision " + revision;
        }
    }
}
