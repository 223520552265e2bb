package io.parley.control.access;

/** Which part of a mesh of zones a control plane is. */
public sealed interface Place {
    /** All there is. */
    record Alone() implements Place {}

    /** The one that zones follow. */
    record Global() implements Place {}

    /** One that follows a global control plane. */
    record Zone(String name) implements Place {}
}
