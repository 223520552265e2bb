package io.parley.store.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;

/** One statement, run once for each of many values with few round trips. */
final class Batch {
    private static final int CHUNK = 500;

    private Batch() {}

    /** Sets the parameters of a statement from a value. */
    interface Binding<T> {
        void bind(PreparedStatement statement, T value) throws SQLException;
    }

    static <T> void run(Connection connection, String sql, Collection<T> values, Binding<T> binding)
            throws SQLException {
        if (values.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int open = 0;
            for (T value : values) {
                binding.bind(statement, value);
                statement.addBatch();
                if (++open == CHUNK) {
                    statement.executeBatch();
                    open = 0;
                }
            }
            if (open > 0) {
                statement.executeBatch();
            }
        }
    }
}
