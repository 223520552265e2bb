package io.parley.store.sql;

import io.parley.store.Event;
import io.parley.store.Retention;
import io.parley.store.Revision;
import io.parley.store.Stored;
import io.parley.store.engine.Plan;
import io.parley.store.engine.Weight;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The events of the last commits, and one row that says where the history begins and ends. Each event knows its position and how
 * many bytes all events up to and with it hold, so that both limits of what is kept are a comparison.
 */
final class HistoryTable {
    /** Where the history stands: its last commit, and the last commit whose events have been dropped. */
    record Bounds(Mark last, Mark dropped) {
        Revision head() {
            return new Revision(last.revision);
        }
    }

    /** A place in the history: after this commit, which ended with this event, at this sum of bytes. */
    record Mark(long revision, long position, long bytes) {}

    private record Entry(long position, long bytes, Event event) {}

    private static final String BOUNDS =
            "SELECT revision, position, bytes, dropped_revision, dropped_position, dropped_bytes FROM history";
    private static final String MOVE = "UPDATE history SET revision = ?, position = ?, bytes = ?";
    private static final String INSERT =
            "INSERT INTO event (position, bytes, " + StoredRow.COLUMNS + ") VALUES (?, ?, " + StoredRow.MARKS + ")";

    private static final String DROP = """
        DELETE FROM event WHERE revision <
          (SELECT revision FROM event WHERE position > ? AND bytes > ? ORDER BY position LIMIT 1)\
        """;
    // Revisions, positions and sums have no gaps, so the first event that is left tells where the dropped ended.
    private static final String MOVE_DROPPED = """
        UPDATE history SET
          dropped_revision = (SELECT revision - 1 FROM event ORDER BY position LIMIT 1),
          dropped_position = (SELECT position - 1 FROM event ORDER BY position LIMIT 1),
          dropped_bytes = (SELECT bytes - weight FROM event ORDER BY position LIMIT 1)\
        """;

    private final Retention retention;

    HistoryTable(Retention retention) {
        this.retention = retention;
    }

    static Bounds bounds(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(BOUNDS);
                ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                throw new IllegalStateException("the table history is empty (expected: one row)");
            }
            return new Bounds(mark(row, 1), mark(row, 4));
        }
    }

    private static Mark mark(ResultSet row, int at) throws SQLException {
        return new Mark(row.getLong(at), row.getLong(at + 1), row.getLong(at + 2));
    }

    void append(Connection connection, Bounds bounds, Plan plan) throws SQLException {
        var entries = new ArrayList<Entry>();
        long position = bounds.last.position;
        long bytes = bounds.last.bytes;
        for (Event event : plan.events()) {
            bytes += Weight.of(event);
            entries.add(new Entry(++position, bytes, event));
        }
        Batch.run(connection, INSERT, entries, HistoryTable::bind);
        var last = new Mark(plan.revision().number(), position, bytes);
        Batch.run(connection, MOVE, List.of(last), (statement, mark) -> {
            statement.setLong(1, mark.revision);
            statement.setLong(2, mark.position);
            statement.setLong(3, mark.bytes);
        });
        drop(connection, last, bounds.dropped);
    }

    private static void bind(PreparedStatement statement, Entry entry) throws SQLException {
        statement.setLong(1, entry.position);
        statement.setLong(2, entry.bytes);
        switch (entry.event) {
            case Event.Written(Stored stored) -> StoredRow.bind(statement, 3, stored);
            case Event.Deleted deleted -> StoredRow.bindDeleted(statement, 3, deleted);
        }
    }

    /** Lets the history grow a tenth over its limits before it cuts, as cutting costs more than a commit. */
    private void drop(Connection connection, Mark last, Mark dropped) throws SQLException {
        if (last.position - dropped.position <= retention.maxEvents() * 11 / 10
                && last.bytes - dropped.bytes <= retention.maxBytes() * 11 / 10) {
            return;
        }
        try (PreparedStatement delete = connection.prepareStatement(DROP);
                PreparedStatement move = connection.prepareStatement(MOVE_DROPPED)) {
            delete.setLong(1, last.position - retention.maxEvents());
            delete.setLong(2, last.bytes - retention.maxBytes());
            delete.executeUpdate();
            move.executeUpdate();
        }
    }
}
