package io.parley.resource.policy.proxypatch;

import io.parley.resource.read.Choices;
import java.util.List;

/** What a change is made to. */
public enum Subject {
    CLUSTER("cluster"),
    LISTENER("listener"),
    NETWORK_FILTER("networkFilter"),
    HTTP_FILTER("httpFilter"),
    VIRTUAL_HOST("virtualHost");

    private static final Choices<Operation> OF_RESOURCES =
            Choices.camelCase(List.of(Operation.ADD, Operation.PATCH, Operation.REMOVE));
    private static final Choices<Operation> OF_FILTERS = Choices.camelCase(List.of(
            Operation.ADD_FIRST,
            Operation.ADD_LAST,
            Operation.ADD_BEFORE,
            Operation.ADD_AFTER,
            Operation.PATCH,
            Operation.REMOVE));

    private final String field;

    Subject(String field) {
        this.field = field;
    }

    boolean isFilter() {
        return this == NETWORK_FILTER || this == HTTP_FILTER;
    }

    Choices<Operation> operations() {
        return isFilter() ? OF_FILTERS : OF_RESOURCES;
    }

    /** The field of a modification that holds the change. */
    @Override
    public String toString() {
        return field;
    }
}
