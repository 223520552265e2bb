package io.parley.xds.client;

/** Is told what becomes of resources. No further answer is read from the server until it has returned. */
public interface Watcher<T> {
    void on(WatchEvent<T> event);

    /** All events of one answer were given. Only watchers of all resources are told: what they have now belongs together. */
    default void settled() {}
}
