package io.parley.store;

/** What an instance is among those that share a store. */
public enum Role {
    /** The one that does what must be done once. */
    LEADER,
    FOLLOWER
}
