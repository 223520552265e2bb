package io.parley.proxy.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What event loops hand over without ever waiting, and a thread of its own works off. The thread is woken by what comes first after a rest, and
 * from then on lets things gather for a moment: to be woken for each would cost the event loop a system call, and where both share a
 * processor its turn, in the middle of a request.
 */
public final class Backlog<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Backlog.class);
    private static final int CAPACITY = 8_192;
    private static final int AT_ONCE = 512;
    private static final Duration GATHERING = Duration.ofMillis(20);

    private final ArrayBlockingQueue<T> waiting = new ArrayBlockingQueue<>(CAPACITY);
    private final Consumer<List<T>> work;
    private final IntConsumer last;
    private final Thread thread;
    private volatile boolean resting;
    private volatile boolean ending;

    /**
     * Begins to work things off.
     *
     * @param work does some, in their order; may block
     * @param last is done when there will be nothing more, and told how much is left undone
     */
    public Backlog(String name, Consumer<List<T>> work, IntConsumer last) {
        this.work = work;
        this.last = last;
        this.thread = Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    /** Whether it will be worked off: there must be room for it, and what comes after the end is taken back. */
    public boolean offer(T one) {
        boolean taken = waiting.offer(one);
        if (resting) {
            resting = false;
            LockSupport.unpark(thread);
        }
        return taken && !(ending && waiting.remove(one));
    }

    private void run() {
        try {
            List<T> some = new ArrayList<>(AT_ONCE);
            while (!Thread.currentThread().isInterrupted()) {
                // Looked at before the last look at what there is: whoever offers something after that sees the end.
                boolean ended = ending;
                if (waiting.drainTo(some, AT_ONCE) > 0) {
                    work(some);
                    gather();
                } else if (ended) {
                    return;
                } else {
                    rest();
                }
            }
        } finally {
            last.accept(waiting.size());
        }
    }

    /** What is wrong with one thing must not keep all that come later from being worked off. */
    private void work(List<T> some) {
        try {
            work.accept(some);
        } catch (RuntimeException e) {
            String name = Thread.currentThread().getName();
            LOG.error("{}: up to {} lines are lost for a mistake of this program", name, some.size(), e);
        } finally {
            some.clear();
        }
    }

    private void gather() {
        if (!ending && waiting.size() < AT_ONCE) {
            LockSupport.parkNanos(this, GATHERING.toNanos());
        }
    }

    /** Says so first and looks again then: whoever offers does it the other way round. */
    private void rest() {
        resting = true;
        if (waiting.isEmpty() && !ending) {
            LockSupport.park(this);
        }
        resting = false;
    }

    /** Takes nothing more; what is here is still worked off. */
    public void end() {
        ending = true;
        LockSupport.unpark(thread);
    }

    /** Waits until all is done, for so long at most; work that still goes on then is interrupted. Tells whether all was done. */
    public boolean await(Duration patience) {
        try {
            if (thread.join(patience)) {
                return true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
        return false;
    }
}
