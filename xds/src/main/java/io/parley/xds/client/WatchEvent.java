package io.parley.xds.client;

/**
 * What a watcher is told. The two kinds of trouble are kept apart: {@link Absent} means that the resource is gone and must no
 * longer be used, {@link AmbientError} that whatever the watcher has is still the best there is.
 */
public sealed interface WatchEvent<T> {
    /** Name of the resource. */
    String name();

    /** The resource is there, for the first time or with another content. */
    record Changed<T>(String name, T value, String version) implements WatchEvent<T> {}

    /** The resource does not exist, or no longer. */
    record Absent<T>(String name, Trouble because) implements WatchEvent<T> {}

    /**
     * Something is wrong, and nothing is known to have changed. A watcher that has nothing yet still has nothing. In a watch of
     * all resources the name is {@code *} if the trouble is with the server.
     */
    record AmbientError<T>(String name, Trouble trouble) implements WatchEvent<T> {}
}
