package io.parley.resource.policy.proxypatch;

/** What a change does. Filters stand in an order, so that one is added at a place. */
public enum Operation {
    ADD,
    PATCH,
    REMOVE,
    ADD_FIRST,
    ADD_LAST,
    ADD_BEFORE,
    ADD_AFTER
}
