package io.parley.resource.manifest;

/** What becomes of a manifest's {@code status}. */
public enum StatusField {
    /** It is read over: people declare what should be, control planes say what is. */
    DROP,
    /** It is kept, for a reader that trusts the writer. */
    KEEP
}
