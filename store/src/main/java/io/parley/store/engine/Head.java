package io.parley.store.engine;

import io.parley.store.Failure;
import io.parley.store.StoreException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Tells the watchers of one process that the history may have moved on. Carries no data: they look for themselves. */
public final class Head implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private final AtomicLong moves = new AtomicLong();
    private volatile boolean closed;

    /** How often it moved so far; read this before reading the history. */
    long moves() {
        return moves.get();
    }

    public void move() {
        signal(1);
    }

    /** Makes those who wait look again at what else they wait for. */
    void wake() {
        signal(0);
    }

    private void signal(int steps) {
        lock.lock();
        try {
            moves.addAndGet(steps);
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until it has moved on from {@code seen}, or {@code stop} says so, or the time is over; returns the time left. */
    Duration await(long seen, BooleanSupplier stop, Duration timeout) {
        long left = TimeUnit.NANOSECONDS.convert(timeout);
        lock.lock();
        try {
            while (moves.get() == seen && left > 0 && !closed && !stop.getAsBoolean()) {
                left = moved.awaitNanos(left);
            }
            return Duration.ofNanos(Math.max(left, 0));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Duration.ZERO;
        } finally {
            lock.unlock();
        }
    }

    public void demandOpen() {
        if (closed) {
            throw new StoreException(new Failure.Closed());
        }
    }

    @Override
    public void close() {
        closed = true;
        wake();
    }
}
