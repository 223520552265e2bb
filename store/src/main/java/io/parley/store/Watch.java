package io.parley.store;

import java.time.Duration;
import java.util.List;

/**
 * A reader of the store's history. It holds a position and nothing else: however slow its user is, no memory grows, and when
 * the history it wants has been dropped it says so. For one thread at a time; {@code close} may come from any.
 */
public interface Watch extends AutoCloseable {
    /**
     * What came next, waiting for it if need be.
     *
     * @throws StoreException if the history cannot be read now (the position stays, poll again), or if this or the store is closed
     */
    Polled poll(Duration timeout);

    @Override
    void close();

    /** What a poll found. */
    sealed interface Polled {}

    /**
     * One or more revisions, each complete, in order, following without a gap on what was polled before.
     *
     * @param through the last revision of these
     */
    record Events(List<Event> events, Revision through) implements Polled {
        public Events {
            events = List.copyOf(events);
        }
    }

    /**
     * The history after this watch's position is not there any more, or (after a restore) never was: list again, and watch from
     * there.
     *
     * @param oldest the earliest revision that can be watched from
     */
    record TooOld(Revision oldest) implements Polled {}

    /** Nothing happened in that time. */
    record Nothing() implements Polled {}
}
