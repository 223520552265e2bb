package io.parley.resource.kind;

/** Who writes resources of a kind. */
public enum Author {
    /** People, at the global control plane or where there is only one. */
    GLOBAL,
    /** People, in zones too; a zone's own ones count in that zone only. */
    ANYWHERE,
    /** Control planes, about what they see. People only read them. */
    CONTROL_PLANE
}
