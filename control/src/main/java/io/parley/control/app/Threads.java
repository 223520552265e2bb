package io.parley.control.app;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** Every thread of the control plane that is not an event loop is made here. */
final class Threads {
    private Threads() {}

    /** A virtual thread for each task: these block on the store as long as they like. */
    static ExecutorService blocking(String name) {
        return Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name(name, 0).factory());
    }

    /** One thread for what happens at intervals. */
    static ScheduledExecutorService timer(String name) {
        return Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name(name).factory());
    }
}
