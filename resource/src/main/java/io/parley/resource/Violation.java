package io.parley.resource;

/**
 * One thing that is wrong with a resource.
 *
 * @param path where, from the manifest's root: {@code spec.to[0].default.idleTimeout}
 * @param message the value found and what was expected
 */
public record Violation(String path, String message) {
    /** Both may have parts of what was found, which may come from anybody. */
    public Violation {
        path = Shown.of(path);
        message = Shown.of(message);
    }

    @Override
    public String toString() {
        return path.isEmpty() ? message : path + ": " + message;
    }
}
