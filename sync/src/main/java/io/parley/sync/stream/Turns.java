package io.parley.sync.stream;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs tasks one after the other, in order, on threads that may block. */
final class Turns implements Executor {
    private final Executor executor;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    Turns(Executor executor) {
        this.executor = executor;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (waiting.getAndIncrement() == 0) {
            try {
                executor.execute(this::run);
            } catch (RejectedExecutionException _) {
                tasks.clear(); // all is being closed
            }
        }
    }

    private void run() {
        do {
            Runnable task = tasks.poll();
            if (task != null) {
                task.run();
            }
        } while (waiting.decrementAndGet() > 0);
    }
}
