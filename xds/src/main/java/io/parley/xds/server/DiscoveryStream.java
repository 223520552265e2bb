package io.parley.xds.server;

import io.netty.util.concurrent.OrderedEventExecutor;
import io.parley.xds.server.session.DiscoverySession;
import io.parley.xds.server.session.EncodedResponse;
import io.parley.xds.server.snapshot.Changes;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives one session: requests, changes, readiness and time all become turns, and turns never overlap. A change takes a turn on the
 * executor, anything else on the thread that brings it. It does not know gRPC, nor which end opened the connection.
 */
public final class DiscoveryStream implements LiveSnapshot.Watcher, LiveSnapshot.Member {
    /**
     * Changes that do not concern a stream may pass it by this often. Then it takes a turn all the same, so that it lets go of the old
     * state that it compares with.
     */
    private static final int MAX_PASSED_BY = 32;

    private static final Logger log = LoggerFactory.getLogger(DiscoveryStream.class);
    private static final AtomicIntegerFieldUpdater<DiscoveryStream> TURNS =
            AtomicIntegerFieldUpdater.newUpdater(DiscoveryStream.class, "turns");
    private static final AtomicIntegerFieldUpdater<DiscoveryStream> PASSED_BY =
            AtomicIntegerFieldUpdater.newUpdater(DiscoveryStream.class, "passedBy");

    /** Where responses go. Called in turns only. */
    public interface Transport {
        /** Whether the reader keeps up; when it does again, {@link DiscoveryStream#wake} is to be called. */
        boolean isReady();

        void send(EncodedResponse response);

        /** A turn failed by a fault of ours, or for want of memory; the stream is closed already. */
        void broken(Throwable fault);
    }

    /** How long a change took: until its last response was handed to the transport, and until the client had accepted all. */
    public interface Timing {
        Timing NONE = new Timing() {};

        default void pushed(Duration sinceChange) {}

        default void converged(Duration sinceChange) {}
    }

    private final DiscoverySession session;
    private final LiveSnapshot snapshot;
    private final Transport transport;
    private final Executor executor;
    private final LongSupplier ticker;
    private final Timing timing;

    /** Turns that came while another was taken; null until there was one, as on most streams there never is. */
    private volatile @Nullable Queue<Runnable> work;

    // Numbers and no objects of their own: a change touches all of a stream, and each object is one more wait for
    // memory.
    @SuppressWarnings("UnusedVariable") // by TURNS
    private volatile int turns;

    private volatile int passedBy;
    private volatile boolean served;
    private boolean presumedEmpty;
    private volatile boolean closed;
    private volatile long wakeAt = Long.MAX_VALUE;
    private volatile long blockedSince = Long.MAX_VALUE;
    private volatile long changedAt = Long.MAX_VALUE;

    /**
     * @param ticker nanoseconds, as {@link System#nanoTime()} gives them
     */
    public DiscoveryStream(
            DiscoverySession session,
            LiveSnapshot snapshot,
            Transport transport,
            Executor executor,
            LongSupplier ticker,
            Timing timing) {
        this.session = session;
        this.snapshot = snapshot;
        this.transport = transport;
        this.executor = executor;
        this.ticker = ticker;
        this.timing = timing;
    }

    public void open() {
        if (executor instanceof OrderedEventExecutor) {
            snapshot.watch(this, executor, ticker);
        } else {
            snapshot.watch(this);
        }
    }

    /** Nothing is sent from now on. May be called from anywhere, any number of times. */
    public void close() {
        closed = true;
        if (executor instanceof OrderedEventExecutor) {
            snapshot.unwatch(this, executor);
        } else {
            snapshot.unwatch(this);
        }
    }

    /**
     * As long as no snapshot comes, answers as if there were an empty one; not to a client that brought something from another stream,
     * which it would lose by that.
     */
    public void presumeEmpty() {
        submit(() -> presumedEmpty = !session.brings());
    }

    public boolean isClosed() {
        return closed;
    }

    /** Does something with the session in a turn of its own; then sends what there is to send. */
    public void submit(Runnable turn) {
        if (TURNS.compareAndSet(this, 0, 1)) {
            takeTurns(turn); // as nearly always: nobody else is at it
        } else {
            queue().add(turn);
            wake();
        }
    }

    private synchronized Queue<Runnable> queue() {
        Queue<Runnable> queue = work;
        if (queue == null) {
            queue = new ConcurrentLinkedQueue<>();
            work = queue;
        }
        return queue;
    }

    private @Nullable Runnable queued() {
        Queue<Runnable> queue = work;
        return queue == null ? null : queue.poll();
    }

    public void wake() {
        if (TURNS.getAndIncrement(this) == 0) {
            takeTurns();
        }
    }

    /** On the publisher's thread. */
    @Override
    public void changed(Map<String, Changes> changes) {
        boolean concerned = !served || session.concernedBy(changes);
        if (note(concerned, concerned ? ticker.getAsLong() : 0)) {
            takeTurnsLater();
        }
    }

    /** On the executor, where the turn can be taken at once. */
    @Override
    public void changed(List<LiveSnapshot.Change> changes) {
        LiveSnapshot.Change first = firstOfConcern(changes);
        if (note(first != null, first == null ? 0 : first.at())) {
            takeTurns();
        }
    }

    private LiveSnapshot.@Nullable Change firstOfConcern(List<LiveSnapshot.Change> changes) {
        for (LiveSnapshot.Change change : changes) {
            if (!served || session.concernedBy(change.byType())) {
                return change;
            }
        }
        return null;
    }

    /** Whether turns are to be taken that nobody else takes. */
    private boolean note(boolean concerned, long at) {
        if (!concerned && PASSED_BY.incrementAndGet(this) <= MAX_PASSED_BY) {
            return false;
        }
        if (concerned && changedAt == Long.MAX_VALUE) {
            changedAt = at;
        }
        return TURNS.getAndIncrement(this) == 0;
    }

    @Override
    public void unreachable() {
        close();
    }

    /** Its client would wait in vain for a change that was missed: it is to come back for all of it. */
    @Override
    public void failed(Throwable fault) {
        submit(() -> breakOff(fault));
    }

    /** Whatever else fails meanwhile, turns go on to be taken. */
    private void breakOff(Throwable fault) {
        try {
            close();
            transport.broken(fault);
        } catch (Throwable another) {
            log.error("fault while a stream was closed because of another", another);
        }
    }

    private void takeTurnsLater() {
        try {
            executor.execute(this::takeTurns);
        } catch (RejectedExecutionException e) {
            close(); // the executor was shut down, and the connection with it; others are still to be told
        }
    }

    /** Takes a turn if it is time to: after a pause, for a heartbeat, or because an answer was waited for too long. */
    public void tick(long now) {
        if (now >= wakeAt) {
            wake();
        }
    }

    /** Whether the reader has taken nothing for this long. */
    public boolean blockedFor(Duration time, long now) {
        long since = blockedSince;
        return since != Long.MAX_VALUE && now - since >= time.toNanos();
    }

    private void takeTurns() {
        takeTurns(null);
    }

    /** Takes a turn that is in nobody's queue, if one is given, and then all that wait. */
    private void takeTurns(@Nullable Runnable first) {
        Runnable own = first;
        int taken = 1;
        do {
            try {
                Runnable turn = own == null ? queued() : own;
                own = null; // not again, should it fail
                for (; turn != null; turn = queued()) {
                    turn.run();
                }
                send();
            } catch (Throwable fault) {
                // Left alone it would vanish in an executor, and the stream would hang with turns that nobody takes.
                // Errors
                // too: there may be no memory for this answer, and enough for others.
                breakOff(fault);
            }
            taken = TURNS.addAndGet(this, -taken);
        } while (taken != 0);
    }

    private void send() {
        long change =
                changedAt; // before the state is looked at: a change that comes later is dealt with in another turn
        Snapshot current = snapshot.current().orElse(presumedEmpty ? Snapshot.EMPTY : null);
        if (closed || current == null) {
            return;
        }
        served = true;
        if (passedBy != 0) {
            passedBy = 0;
        }
        long now = ticker.getAsLong();
        boolean sent = false;
        boolean ready = transport.isReady();
        while (!closed && ready) {
            Optional<EncodedResponse> response = session.next(current, now);
            if (response.isEmpty()) {
                break;
            }
            transport.send(response.get());
            sent = true;
            ready = transport.isReady();
        }
        noteTimes(now, change, ready);
        if (sent && change != Long.MAX_VALUE) {
            timing.pushed(Duration.ofNanos(ticker.getAsLong() - change));
        }
    }

    private void noteTimes(long now, long change, boolean ready) {
        if (ready) {
            blockedSince = Long.MAX_VALUE;
        } else if (blockedSince == Long.MAX_VALUE) {
            blockedSince = now;
        }
        wakeAt = session.wakeAt(now);
        if (change != Long.MAX_VALUE && session.settled()) {
            changedAt = Long.MAX_VALUE;
            timing.converged(Duration.ofNanos(now - change));
        }
    }
}
