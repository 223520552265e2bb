package io.parley.store.postgres;

import com.zaxxer.hikari.HikariDataSource;
import io.parley.store.sql.Database;
import io.parley.store.sql.SqlWork;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Two pools: many read at once, and few wait in line to write, as commits come one after another anyhow. */
final class PostgresDatabase implements Database {
    private static final int READERS = 8;
    private static final int WRITERS = 2;

    private final Connector connector;
    private final HikariDataSource readers;
    private final HikariDataSource writers;

    PostgresDatabase(Connector connector) {
        this.connector = connector;
        this.readers = connector.pool("store-read", READERS, Connector.Use.READ);
        this.writers = connector.pool("store-write", WRITERS, Connector.Use.WRITE);
    }

    @Override
    public <T> T read(SqlWork<T> work) {
        try (Connection connection = readers.getConnection()) {
            return work.on(connection);
        } catch (SQLException e) {
            throw connector.unavailable(e);
        }
    }

    @Override
    public <T> T snapshot(SqlWork<T> work) {
        try (Connection connection = readers.getConnection()) {
            connection.setAutoCommit(false);
            T result = work.on(connection);
            connection.commit();
            return result;
        } catch (SQLException e) {
            throw connector.unavailable(e);
        }
    }

    @Override
    public <T> T write(SqlWork<T> work) {
        try (Connection connection = writers.getConnection()) {
            connection.setAutoCommit(false);
            return transact(connection, work);
        } catch (SQLException e) {
            throw connector.unavailable(e);
        }
    }

    /** Whoever has the row of the history is the only writer until its commit: so revisions have no gap and follow commits. */
    private static <T> T transact(Connection connection, SqlWork<T> work) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1 FROM history FOR UPDATE");
            T result = work.on(connection);
            connection.commit();
            return result;
        } catch (SQLException | RuntimeException e) {
            rollback(connection, e);
            throw e;
        }
    }

    private static void rollback(Connection connection, Exception cause) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        readers.close();
        writers.close();
    }
}
