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

/** The statements of a watch: first where the history stands and how far a piece of it reaches, then that piece. */
final class HistoryQuery {
    private static final int MAX_EVENTS = 500;
    private static final long MAX_BYTES = 8L << 20;

    // Whole revisions only: the last of the next so many events that fit says through which one.
    private static final String REACH = """
        WITH piece AS (SELECT revision, bytes FROM event WHERE revision > ? ORDER BY revision, position LIMIT ?)
        SELECT revision, dropped_revision,
          (SELECT max(revision) FROM piece WHERE bytes <= (SELECT min(bytes) FROM piece) + ?)
        FROM history\
        """;

    private static final String PIECE = "SELECT " + StoredRow.COLUMNS
            + " FROM event WHERE revision > ? AND revision <= ? ORDER BY revision, position";

    private HistoryQuery() {}

    /** Runs both in the caller's snapshot. */
    static Piece after(Connection connection, Revision after) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(REACH)) {
            statement.setLong(1, after.number());
            statement.setInt(2, MAX_EVENTS);
            statement.setLong(3, MAX_BYTES);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalStateException("the table history is empty (expected: one row)");
                }
                var last = new Revision(row.getLong(1));
                var dropped = new Revision(row.getLong(2));
                var through = new Revision(row.getLong(3));
                if (after.compareTo(dropped) < 0 || after.isAfter(last)) {
                    return new Piece(new Watch.TooOld(dropped), End.REACHED);
                }
                return after.equals(last)
                        ? new Piece(new Watch.Nothing(), End.REACHED)
                        : new Piece(events(connection, after, through), through.equals(last) ? End.REACHED : End.MORE);
            }
        }
    }

    private static Watch.Events events(Connection connection, Revision after, Revision through) throws SQLException {
        var events = new ArrayList<Event>();
        try (PreparedStatement statement = connection.prepareStatement(PIECE)) {
            statement.setLong(1, after.number());
            statement.setLong(2, through.number());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    events.add(StoredRow.event(rows, 1));
                }
            }
        }
        return new Watch.Events(events, through);
    }
}
