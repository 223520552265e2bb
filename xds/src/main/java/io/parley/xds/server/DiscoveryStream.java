package io.parley.xds.server;

import io.parley.xds.server.session.DiscoverySession;
import io.parley.xds.server.session.EncodedResponse;
import io.parley.xds.server.snapshot.Changes;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.Snapshot;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Drives one session: requests, changes, readiness and time all become turns, and turns never overlap. A change takes a turn on the
 * executor, anything else on the thread that brings it. It does not know gRPC, nor which end opened the connection.
 */
public final class DiscoveryStream implements LiveSnapshot.Watcher {
    /**
     * Changes that do not concern a stream may pass it by this often. Then it takes a turn all the same, so that it lets go of the old
     * state that it compares with.
     */
    private static final int MAX_PASSED_BY = 32;

    /** Where responses go. Called in turns only. */
    public interface Transport {
        /** Whether the reader keeps up; when it does again, {@link DiscoveryStream#wake} is to be called. */
        boolean isReady();

        void send(EncodedResponse response);

        /** A turn failed by a fault of ours; the stream is closed already. */
        void broken(RuntimeException fault);
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

    private final Queue<Runnable> work = new ConcurrentLinkedQueue<>();
    private final AtomicInteger turns = new AtomicInteger();
    private final AtomicInteger passedBy = new AtomicInteger();
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
        snapshot.watch(this);
    }

    /** Nothing is sent from now on. May be called from anywhere, any number of times. */
    public void close() {
        closed = true;
        snapshot.unwatch(this);
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
        if (turns.compareAndSet(0, 1)) {
            takeTurns(turn); // as nearly always: nobody else is at it
        } else {
            work.add(turn);
            wake();
        }
    }

    public void wake() {
        if (turns.getAndIncrement() == 0) {
            takeTurns();
        }
    }

    @Override
    public void changed(Map<String, Changes> changes) {
        boolean concerned = !served || session.concernedBy(changes);
        if (concerned || passedBy.incrementAndGet() > MAX_PASSED_BY) {
            if (concerned && changedAt == Long.MAX_VALUE) {
                changedAt = ticker.getAsLong();
            }
            if (turns.getAndIncrement() == 0) {
                takeTurnsLater();
            }
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
                Runnable turn = own == null ? work.poll() : own;
                own = null; // not again, should it fail
                for (; turn != null; turn = work.poll()) {
                    turn.run();
                }
                send();
            } catch (RuntimeException fault) {
                // Left alone it would vanish in an executor, and the stream would hang with turns that nobody takes.
                close();
                transport.broken(fault);
            }
            taken = turns.addAndGet(-taken);
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
        passedBy.set(0);
        long now = ticker.getAsLong();
        boolean sent = false;
        while (!closed && transport.isReady()) {
            Optional<EncodedResponse> response = session.next(current, now);
            if (response.isEmpty()) {
                break;
            }
            transport.send(response.get());
            sent = true;
        }
        noteTimes(now, change);
        if (sent && change != Long.MAX_VALUE) {
            timing.pushed(Duration.ofNanos(ticker.getAsLong() - change));
        }
    }

    private void noteTimes(long now, long change) {
        if (transport.isReady()) {
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
