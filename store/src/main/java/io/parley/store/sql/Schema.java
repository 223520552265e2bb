package io.parley.store.sql;

import io.parley.store.Failure;
import io.parley.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The tables, brought up to date by numbered scripts. Scripts that were released never change; a new one is added after them.
 *
 * @param scripts what leads from version 0 to 1, from 1 to 2, and so on
 */
public record Schema(List<String> scripts) {
    public Schema {
        scripts = List.copyOf(scripts);
    }

    /** The scripts {@code 1.sql} to {@code latest.sql} that lie beside a class. */
    public static Schema beside(Class<?> anchor, int latest) {
        var scripts = new ArrayList<String>();
        for (int version = 1; version <= latest; version++) {
            try (InputStream in = anchor.getResourceAsStream(version + ".sql")) {
                if (in == null) {
                    throw new IllegalStateException("no script " + version + ".sql beside " + anchor.getName());
                }
                scripts.add(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new IllegalStateException("script " + version + ".sql beside " + anchor.getName(), e);
            }
        }
        return new Schema(scripts);
    }

    /** Runs what is missing, in the caller's transaction, which keeps others out. */
    public void migrate(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)");
            int found = version(statement);
            if (found > scripts.size()) {
                throw new StoreException(new Failure.Unusable("the store has schema version " + found
                        + " (expected: at most " + scripts.size() + "): a newer release wrote it; run that one"));
            }
            for (String script : scripts.subList(found, scripts.size())) {
                for (String command : script.split(";\\s*\n", -1)) {
                    if (!command.isBlank()) {
                        statement.execute(command);
                    }
                }
            }
            if (found < scripts.size()) {
                statement.execute("DELETE FROM schema_version");
                statement.execute("INSERT INTO schema_version VALUES (" + scripts.size() + ")");
            }
        }
    }

    private static int version(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT coalesce(max(version), 0) FROM schema_version")) {
            return row.next() ? row.getInt(1) : 0;
        }
    }
}
