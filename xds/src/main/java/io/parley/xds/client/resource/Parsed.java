package io.parley.xds.client.resource;

import java.util.List;

/** What a parser made of a resource. */
public sealed interface Parsed<T> {
    /** The resource is sound. */
    record Valid<T>(String name, T value) implements Parsed<T> {}

    /**
     * The resource cannot be used.
     *
     * @param name empty if not even that could be read
     * @param violations what is wrong, at least one thing, each with its path
     */
    record Invalid<T>(String name, List<String> violations) implements Parsed<T> {
        public Invalid {
            violations = List.copyOf(violations);
        }
    }
}
