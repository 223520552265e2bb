package io.parley.control.app;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The threads of a control plane that are not event loops.
 *
 * @param blocking for what waits for the store
 * @param timer for what happens at intervals and never waits
 * @param insights writes insights at intervals, and waits for the store
 */
record Workers(ExecutorService blocking, ScheduledExecutorService timer, ScheduledExecutorService insights)
        implements AutoCloseable {
    static Workers start() {
        return new Workers(Threads.blocking("control-"), Threads.timer("ticks"), Threads.timer("insights"));
    }

    @Override
    public void close() {
        timer.shutdownNow();
        insights.shutdownNow();
        blocking.close();
    }
}
