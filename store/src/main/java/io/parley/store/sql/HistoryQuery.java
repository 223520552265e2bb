package io.parley.store.sql;

import io.parley.store.Event;
import io.parley.store.Revision;
import io.parley.store.Watch;
import io.parley.store.engine.HistoryReader.End;
import io.parley.store.engine.HistoryReader.Piece;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;

/** What follows on a revision, as one statement, so that events and bounds are of one moment. */
final class HistoryQuery {
    private static final int MAX_EVENTS = 500;
    private static final long MAX_BYTES = 8L << 20;
    private static final int FIRST = 3;

    // Whole revisions only: the last of the next so many events that fit says up to which.
    private static final String AFTER = """
        WITH piece AS (SELECT revision, bytes FROM event WHERE revision > ? ORDER BY position LIMIT ?)
        SELECT h.revision, h.dropped_revision, %s
        FROM history h LEFT JOIN event e ON e.revision > ? AND e.revision <=
          (SELECT max(revision) FROM piece WHERE bytes <= (SELECT min(bytes) FROM piece) + ?)
        ORDER BY e.position\
        """.formatted("e." + StoredRow.COLUMNS.replace(", ", ", e."));

    private HistoryQuery() {}

    static Piece after(Connection connection, Revision after) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(AFTER)) {
            statement.setLong(1, after.number());
            statement.setInt(2, MAX_EVENTS);
            statement.setLong(3, after.number());
            statement.setLong(4, MAX_BYTES);
            try (ResultSet rows = statement.executeQuery()) {
                return read(rows, after);
            }
        }
    }

    private static Piece read(ResultSet rows, Revision after) throws SQLException {
        if (!rows.next()) {
            throw new IllegalStateException("the table history is empty (expected: one row)");
        }
        var last = new Revision(rows.getLong(1));
        var dropped = new Revision(rows.getLong(2));
        if (after.compareTo(dropped) < 0 || after.isAfter(last)) {
            return new Piece(new Watch.TooOld(dropped), End.REACHED);
        }
        if (rows.getString(FIRST) == null) {
            return new Piece(new Watch.Nothing(), End.REACHED);
        }
        var events = new ArrayList<Event>();
        do {
            events.add(StoredRow.event(rows, FIRST));
        } while (rows.next());
        Revision through = events.getLast().revision();
        return new Piece(new Watch.Events(events, through), through.equals(last) ? End.REACHED : End.MORE);
    }
}
