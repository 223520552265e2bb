package io.parley.store.sql;

import io.parley.store.Cursor;
import io.parley.store.Page;
import io.parley.store.Query;
import io.parley.store.Revision;
import io.parley.store.Stored;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A list as one statement, so that its rows, its total and its revision are of one moment. */
final class PageQuery {
    /** A page ends once it holds this much text, whatever its limit. */
    private static final long MAX_BYTES = 32L << 20;

    private static final int FIRST = 3;
    private static final int CANDIDATES = FIRST + StoredRow.COUNT;

    private final List<String> conditions = new ArrayList<>();
    private final List<String> parameters = new ArrayList<>();

    private PageQuery(Query query) {
        demand("r.kind = ?", query.kind().value());
        if (query.space() != null) {
            demand("r.space = ?", query.space());
        }
        query.labels()
                .forEach((label, value) -> demand(
                        "EXISTS (SELECT 1 FROM label l WHERE l.kind = r.kind AND l.space = r.space AND l.name = r.name"
                                + " AND l.label = ? AND l.value = ?)",
                        label,
                        value));
    }

    private void demand(String condition, String... values) {
        conditions.add(condition);
        parameters.addAll(List.of(values));
    }

    static Page run(Connection connection, Query query) throws SQLException {
        var filter = new PageQuery(query);
        Cursor after = query.after();
        try (PreparedStatement statement = connection.prepareStatement(filter.sql(after))) {
            int at = filter.bind(statement, filter.bind(statement, 1));
            if (after != null) {
                statement.setString(at++, after.space());
                statement.setString(at++, after.name());
            }
            statement.setInt(at++, query.limit() + 1);
            statement.setLong(at, MAX_BYTES);
            try (ResultSet rows = statement.executeQuery()) {
                return read(rows, query.limit());
            }
        }
    }

    /** One row more than the limit tells whether there is a next page; the sum of weights cuts before the texts are read. */
    private String sql(@Nullable Cursor after) {
        return """
            SELECT h.revision, (SELECT count(*) FROM resource r WHERE %1$s) AS total, p.*
            FROM history h LEFT JOIN (
              SELECT c.* FROM (
                SELECT candidate.*, count(*) OVER () AS candidates,
                  sum(weight) OVER (ORDER BY space, name) - weight AS before
                FROM (SELECT %3$s FROM resource r WHERE %1$s%2$s ORDER BY space, name LIMIT ?) candidate
              ) c WHERE c.before < ?
            ) p ON 1 = 1 ORDER BY p.space, p.name\
            """.formatted(
                        String.join(" AND ", conditions),
                        after == null ? "" : " AND (r.space, r.name) > (?, ?)",
                        StoredRow.COLUMNS);
    }

    private int bind(PreparedStatement statement, int first) throws SQLException {
        int at = first;
        for (String parameter : parameters) {
            statement.setString(at++, parameter);
        }
        return at;
    }

    private static Page read(ResultSet rows, int limit) throws SQLException {
        if (!rows.next()) {
            throw new IllegalStateException("the table history is empty (expected: one row)");
        }
        var revision = new Revision(rows.getLong(1));
        long total = rows.getLong(2);
        if (rows.getString(FIRST) == null) {
            return new Page(List.of(), total, null, revision);
        }
        var items = new ArrayList<Stored>();
        long candidates = rows.getLong(CANDIDATES);
        do {
            items.add(StoredRow.read(rows, FIRST));
        } while (items.size() < limit && rows.next());
        Cursor next = items.size() < candidates ? Cursor.at(items.getLast().key()) : null;
        return new Page(items, total, next, revision);
    }
}
