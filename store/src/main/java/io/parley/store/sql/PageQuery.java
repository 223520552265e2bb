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

/** The statements of a list: first how much there is and how heavy the page would be, then the page. */
final class PageQuery {
    /** A page that would hold more text than this ... */
    private static final long MAX_BYTES = 32L << 20;
    /** ... is cut to so many resources, each of which may have a few MiB. */
    private static final int HEAVY_LIMIT = 10;

    private final List<String> parameters = new ArrayList<>();
    private final String filter;

    private PageQuery(Query query) {
        var conditions = new ArrayList<String>();
        conditions.add("kind = ?");
        parameters.add(query.kind().value());
        if (query.space() != null) {
            conditions.add("space = ?");
            parameters.add(query.space());
        }
        query.labels().forEach((label, value) -> {
            conditions.add("EXISTS (SELECT 1 FROM label l WHERE l.kind = resource.kind AND l.space = resource.space"
                    + " AND l.name = resource.name AND l.label = ? AND l.value = ?)");
            parameters.addAll(List.of(label, value));
        });
        filter = " FROM resource WHERE " + String.join(" AND ", conditions);
    }

    /** Runs both in the caller's snapshot. */
    static Page run(Connection connection, Query query) throws SQLException {
        var all = new PageQuery(query);
        return all.size(connection, query).page(all, connection, query.after());
    }

    private Size size(Connection connection, Query query) throws SQLException {
        String sql = "SELECT revision, (SELECT count(*)" + filter + "), (SELECT sum(weight) FROM (SELECT weight"
                + filter + rest(query.after()) + ") page) FROM history";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int at = bindAll(statement, 1);
            bindRest(statement, at, query.after(), query.limit() + 1);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalStateException("the table history is empty (expected: one row)");
                }
                int limit = row.getLong(3) > MAX_BYTES ? Math.min(query.limit(), HEAVY_LIMIT) : query.limit();
                return new Size(new Revision(row.getLong(1)), row.getLong(2), limit);
            }
        }
    }

    private record Size(Revision revision, long total, int limit) {
        Page page(PageQuery all, Connection connection, @Nullable Cursor after) throws SQLException {
            String sql = "SELECT " + StoredRow.COLUMNS + all.filter + rest(after);
            var items = new ArrayList<Stored>();
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                all.bindRest(statement, 1, after, limit + 1);
                try (ResultSet rows = statement.executeQuery()) {
                    while (items.size() < limit && rows.next()) {
                        items.add(StoredRow.read(rows, 1));
                    }
                    // One row more than the page holds tells that there is a next page.
                    Cursor next = items.size() == limit && rows.next()
                            ? Cursor.at(items.getLast().key())
                            : null;
                    return new Page(items, total, next, revision);
                }
            }
        }
    }

    private static String rest(@Nullable Cursor after) {
        return (after == null ? "" : " AND (space, name) > (?, ?)") + " ORDER BY space, name LIMIT ?";
    }

    private int bindAll(PreparedStatement statement, int first) throws SQLException {
        int at = first;
        for (String parameter : parameters) {
            statement.setString(at++, parameter);
        }
        return at;
    }

    private void bindRest(PreparedStatement statement, int first, @Nullable Cursor after, int limit)
            throws SQLException {
        int at = bindAll(statement, first);
        if (after != null) {
            statement.setString(at++, after.space());
            statement.setString(at++, after.name());
        }
        statement.setInt(at, limit);
    }
}
