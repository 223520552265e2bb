package io.parley.resource;

/**
 * One thing that is wrong with a resource.
 *
 * @param path where, from the manifest's root: {@code spec.to[0].default.idleTimeout}
 * @param message the value found and what was expected
 */
public record Violation(String path, String message) {
    @Override
    public String toString() {
        return path.isEmpty() ? message : path + ": " + message;
    }
}
