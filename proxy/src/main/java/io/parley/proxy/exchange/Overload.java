package io.parley.proxy.exchange;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

/**
 * Tells whether the proxy has too much to do to take anything more. A proxy that runs out of memory takes everybody down; one that says so
 * in time loses only what is too much. Shared by all event loops, which look at it for each request and have it looked anew ten times a
 * second.
 */
public final class Overload {
    /** What to do about it. */
    public enum Level {
        FINE(0),

        /** What is only kept for later is given up. */
        SHRINK(1),

        /** New requests are refused. */
        REFUSE(2);

        private final int number;

        Level(int number) {
            this.number = number;
        }

        /** As the metrics have it. */
        public int number() {
            return number;
        }
    }

    static final int MOST_IN_FLIGHT = 10_000;
    private static final long COLLECT_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final double SHRINK = 0.95;
    private static final double REFUSE = 0.98;

    private final DoubleSupplier memory;
    private final Runnable collect;
    private final AtomicLong inFlight = new AtomicLong();
    private final AtomicLong collectedAt = new AtomicLong();
    private volatile Level level = Level.FINE;

    /**
     * One that watches this.
     *
     * @param memory the share of the memory that is in use and cannot be freed, as far as that is known
     * @param collect finds out what can be freed; called while there is too little
     */
    public Overload(DoubleSupplier memory, Runnable collect, long now) {
        this.memory = memory;
        this.collect = collect;
        this.collectedAt.set(now - COLLECT_NANOS);
    }

    public Level level() {
        return level;
    }

    /** Requests under way on all event loops, when they were last looked at. */
    public long inFlight() {
        return inFlight.get();
    }

    /** So many more requests are under way on one of the event loops. */
    void moved(int more) {
        if (more != 0) {
            inFlight.addAndGet(more);
        }
    }

    /** Looks anew. Without a collection nobody would learn that there is memory again, as those refused leave little to collect. */
    void look(long now) {
        double used = memory.getAsDouble();
        long before = collectedAt.get();
        if (used >= SHRINK && now - before > COLLECT_NANOS && collectedAt.compareAndSet(before, now)) {
            collect.run();
            used = memory.getAsDouble();
        }
        boolean tooMany = inFlight.get() >= MOST_IN_FLIGHT;
        level = tooMany || used >= REFUSE ? Level.REFUSE : used >= SHRINK ? Level.SHRINK : Level.FINE;
    }
}
