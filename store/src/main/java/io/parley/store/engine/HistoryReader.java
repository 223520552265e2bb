package io.parley.store.engine;

import io.parley.store.Revision;
import io.parley.store.Watch;

/** Reads the stored history, a bounded piece at a time. */
@FunctionalInterface
public interface HistoryReader {
    /** What follows on a revision. */
    Piece after(Revision revision);

    /** Whether the end of the history was reached, so that there is no use in reading on before the head moves. */
    enum End {
        REACHED,
        MORE
    }

    /** Some whole revisions, or why there are none. */
    record Piece(Watch.Polled polled, End end) {}
}
