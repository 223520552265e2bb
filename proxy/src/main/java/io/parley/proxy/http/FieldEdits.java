package io.parley.proxy.http;

import java.util.List;
import java.util.Locale;

/** Changes to header fields, done in this order. */
public record FieldEdits(List<Edit> edits) {
    /** What is done to a field. */
    public enum Kind {
        /** Replaces all values. */
        SET,

        /** Is one value more. */
        ADD,

        /** Is the value if there is none. */
        DEFAULT,

        /** Replaces all values if there are any. */
        REPLACE,
        REMOVE
    }

    /**
     * One change.
     *
     * @param value empty for a removal
     */
    public record Edit(Kind kind, String name, String value) {
        public Edit {
            name = name.toLowerCase(Locale.ROOT);
        }
    }

    public static final FieldEdits NONE = new FieldEdits(List.of());

    public FieldEdits {
        edits = List.copyOf(edits);
    }

    public boolean isEmpty() {
        return edits.isEmpty();
    }
}
