package io.parley.store.sql;

import io.parley.resource.ResourceKey;
import io.parley.store.Event;
import io.parley.store.Stored;
import io.parley.store.engine.Reads;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The present state: a row for each resource, and one for each of its labels to filter by. */
final class ResourceTable {
    /** Keys in one statement; both databases take at least 32,766 parameters. */
    private static final int CHUNK = 500;

    private static final String FIND =
            "SELECT " + StoredRow.COLUMNS + " FROM resource WHERE kind = ? AND space = ? AND name = ?";
    private static final String FIND_ALL =
            "SELECT " + StoredRow.COLUMNS + " FROM resource WHERE (kind, space, name) IN (VALUES %s)";
    private static final String FIND_OWNED = "WITH RECURSIVE owned (kind, space, name) AS ("
            + "SELECT kind, space, name FROM resource WHERE (kind, space, name) IN (VALUES %s)"
            + " UNION SELECT r.kind, r.space, r.name FROM resource r JOIN owned o"
            + " ON r.owner_kind = o.kind AND r.owner_space = o.space AND r.owner_name = o.name) "
            + "SELECT " + StoredRow.COLUMNS + " FROM resource WHERE (kind, space, name) IN (SELECT * FROM owned)";

    private static final String DELETE = "DELETE FROM resource WHERE kind = ? AND space = ? AND name = ?";
    private static final String UPSERT = "INSERT INTO resource (" + StoredRow.COLUMNS + ") VALUES (" + StoredRow.MARKS
            + ") ON CONFLICT (kind, space, name) DO UPDATE SET " + assignments();
    private static final String DELETE_LABELS = "DELETE FROM label WHERE kind = ? AND space = ? AND name = ?";
    private static final String INSERT_LABEL =
            "INSERT INTO label (kind, space, name, label, value) VALUES (?, ?, ?, ?, ?)";

    private ResourceTable() {}

    private static String assignments() {
        var all = new ArrayList<String>();
        for (String column : ("revision, weight, " + StoredRow.BODY).split(", ", -1)) {
            all.add(column + " = excluded." + column);
        }
        return String.join(", ", all);
    }

    static Optional<Stored> find(Connection connection, ResourceKey key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(FIND)) {
            StoredRow.bindKey(statement, 1, key);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(StoredRow.read(rows, 1)) : Optional.empty();
            }
        }
    }

    static List<Stored> read(Connection connection, Reads reads) throws SQLException {
        Map<ResourceKey, Stored> found = new LinkedHashMap<>();
        readInChunks(connection, FIND_ALL, reads.keys(), found);
        readInChunks(connection, FIND_OWNED, reads.roots(), found);
        return List.copyOf(found.values());
    }

    private static void readInChunks(
            Connection connection, String sql, Collection<ResourceKey> keys, Map<ResourceKey, Stored> found)
            throws SQLException {
        List<ResourceKey> all = List.copyOf(keys);
        for (int from = 0; from < all.size(); from += CHUNK) {
            List<ResourceKey> chunk = all.subList(from, Math.min(from + CHUNK, all.size()));
            String marks = String.join(", ", Collections.nCopies(chunk.size(), "(?, ?, ?)"));
            try (PreparedStatement statement = connection.prepareStatement(sql.formatted(marks))) {
                int at = 1;
                for (ResourceKey key : chunk) {
                    at = StoredRow.bindKey(statement, at, key);
                }
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        Stored stored = StoredRow.read(rows, 1);
                        found.put(stored.key(), stored);
                    }
                }
            }
        }
    }

    /** Brings each row into the state that its event tells of. */
    static void apply(Connection connection, Collection<Event> events) throws SQLException {
        var deleted = new ArrayList<ResourceKey>();
        var written = new ArrayList<Stored>();
        for (Event event : events) {
            switch (event) {
                case Event.Written(Stored stored) -> written.add(stored);
                case Event.Deleted gone -> deleted.add(gone.key());
            }
        }
        Batch.run(connection, DELETE, deleted, (statement, key) -> StoredRow.bindKey(statement, 1, key));
        Batch.run(connection, UPSERT, written, (statement, stored) -> StoredRow.bind(statement, 1, stored));
        Batch.run(
                connection,
                DELETE_LABELS,
                written,
                (statement, stored) -> StoredRow.bindKey(statement, 1, stored.key()));
        Batch.run(connection, INSERT_LABEL, labels(written), (statement, label) -> {
            int at = StoredRow.bindKey(statement, 1, label.key());
            statement.setString(at, label.label());
            statement.setString(at + 1, label.value());
        });
    }

    private record Label(ResourceKey key, String label, String value) {}

    private static List<Label> labels(List<Stored> written) {
        var labels = new ArrayList<Label>();
        for (Stored stored : written) {
            stored.resource().labels().forEach((label, value) -> labels.add(new Label(stored.key(), label, value)));
        }
        return labels;
    }
}
