package io.parley.resource;

import java.util.List;

/** What became of a stranger's input: a value, or everything that is wrong with it. */
public sealed interface Result<T> {
    /** It was good. */
    record Accepted<T>(T value) implements Result<T> {}

    /** It was not. */
    record Rejected<T>(List<Violation> violations) implements Result<T> {
        public Rejected {
            violations = List.copyOf(violations);
            if (violations.isEmpty()) {
                throw new IllegalArgumentException("violations: none (expected: at least one)");
            }
        }
    }
}
