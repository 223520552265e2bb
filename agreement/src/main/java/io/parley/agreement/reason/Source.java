package io.parley.agreement.reason;

import static java.util.Objects.requireNonNull;

/**
 * Where a decision comes from: the resource that was read, the field in it, and the rule that was applied.
 *
 * @param resource what was read, as people name it: {@code pod/mysql-0}, {@code MeshTimeout/timeout-zone}; empty if nothing was
 * @param field path inside the resource, or empty
 * @param rule the rule that turned what was read into the value, named so that the documentation can be searched for it
 */
public record Source(String resource, String field, String rule) {
    public Source {
        requireNonNull(resource, "resource");
        requireNonNull(field, "field");
        if (rule.isBlank()) {
            throw new IllegalArgumentException("rule: blank (expected: the name of the rule that decided)");
        }
    }

    /** A source for what nobody declared: a default, or something that the program saw for itself. */
    public static Source ofRule(String rule) {
        return new Source("", "", rule);
    }

    @Override
    public String toString() {
        if (resource.isEmpty()) {
            return rule;
        }
        return field.isEmpty() ? resource + " by " + rule : resource + " " + field + " by " + rule;
    }
}
