package io.parley.control.draft;

/** Who reads a configuration. What they have in common is the same to the byte. */
public enum Flavor {
    /** A proxy of ours. */
    PARLEY,
    /** A plain Envoy. */
    ENVOY,
    /** A program that speaks xDS itself and has no proxy. */
    GRPC
}
