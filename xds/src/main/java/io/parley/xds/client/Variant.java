package io.parley.xds.client;

/** The two ways in which xDS tells what changed. Every server knows the first. */
public enum Variant {
    /** Each answer has the state of the world: all that was asked for, or all of it that changed. */
    SOTW,
    /** Each answer has only what changed and what is gone, and each resource has a version of its own. */
    DELTA
}
