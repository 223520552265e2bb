package io.parley.store.engine;

import io.parley.store.Failure;
import io.parley.store.Revision;
import io.parley.store.StoreException;
import io.parley.store.Watch;
import java.time.Duration;

/** A watch over any history: a cursor, moved on by reading, and the head to wait on when there is nothing to read. */
public final class HistoryWatch implements Watch {
    private static final long NEVER = -1;

    private final HistoryReader history;
    private final Head head;
    private Revision cursor;
    private long seen = NEVER;
    private volatile boolean closed;

    public HistoryWatch(HistoryReader history, Head head, Revision after) {
        this.history = history;
        this.head = head;
        this.cursor = after;
    }

    @Override
    public Polled poll(Duration timeout) {
        Duration left = timeout;
        while (true) {
            demandOpen();
            if (head.moves() != seen) {
                Polled polled = read();
                if (!(polled instanceof Nothing)) {
                    return polled;
                }
            }
            if (!left.isPositive()) {
                return new Nothing();
            }
            left = head.await(seen, () -> closed, left);
        }
    }

    private Polled read() {
        long before = head.moves();
        HistoryReader.Piece piece = history.after(cursor);
        seen = piece.end() == HistoryReader.End.REACHED ? before : NEVER;
        if (piece.polled() instanceof Events events) {
            cursor = events.through();
        }
        return piece.polled();
    }

    private void demandOpen() {
        head.demandOpen();
        if (closed) {
            throw new StoreException(new Failure.Closed());
        }
    }

    @Override
    public void close() {
        closed = true;
        head.wake();
    }
}
