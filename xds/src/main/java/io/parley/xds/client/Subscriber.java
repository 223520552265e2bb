package io.parley.xds.client;

import java.util.concurrent.Executor;

/** One watch: a watcher, and where it wants to be called. The same watcher may watch twice, so each watch is only itself. */
final class Subscriber<T> {
    private final Watcher<T> watcher;
    private final Executor executor;

    Subscriber(Watcher<T> watcher, Executor executor) {
        this.watcher = watcher;
        this.executor = executor;
    }

    Watcher<T> watcher() {
        return watcher;
    }

    Executor executor() {
        return executor;
    }
}
