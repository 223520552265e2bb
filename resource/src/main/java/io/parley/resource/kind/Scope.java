package io.parley.resource.kind;

/** What a resource's name is unique in. */
public enum Scope {
    /** Everything. */
    GLOBAL,
    /** A mesh. */
    MESH,
    /** A namespace. */
    NAMESPACE
}
