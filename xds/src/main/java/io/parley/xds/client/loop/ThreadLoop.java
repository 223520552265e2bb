package io.parley.xds.client.loop;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A loop with a thread of its own. */
public final class ThreadLoop implements Loop, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadLoop.class);

    private final ScheduledThreadPoolExecutor executor;
    private volatile @Nullable Thread thread;

    public ThreadLoop(String name) {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = Thread.ofPlatform().daemon().name(name).unstarted(task);
            thread = made;
            return made;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void execute(Runnable task) {
        try {
            executor.execute(guarded(task));
        } catch (RejectedExecutionException e) {
            LOG.debug("Ignored what came after the loop was closed", e);
        }
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        try {
            ScheduledFuture<?> future = executor.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException e) {
            return () -> {};
        }
    }

    @Override
    public boolean isCurrent() {
        return Thread.currentThread().equals(thread);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    /** Runs what was given before, forgets the timers, and ends the thread. */
    @Override
    public void close() {
        executor.shutdown();
    }

    /** A bug in one task must not end the others. */
    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("A task of the xDS client failed; this is a bug", e);
            }
        };
    }
}
