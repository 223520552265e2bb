package io.parley.proxy.config.xds.http;

/** Takes what is wrong with a resource: where, and what was expected. */
@FunctionalInterface
public interface Problems {
    void add(String path, String message);

    /** The same, for a part of the resource. */
    default Problems under(String part) {
        return (path, message) -> add(path.isEmpty() ? part : part + "." + path, message);
    }
}
