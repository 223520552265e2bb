package io.parley.store.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.parley.store.Failure;
import io.parley.store.StoreException;
import io.parley.store.sql.Schema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * Opens connections, all with limits: whoever waits for a database that hangs has its answer within 5 s, being at most the wait
 * for a connection and then for one reply.
 *
 * @param schema where the tables are
 */
record Connector(PostgresUrl url, String schema) {
    /** What the connections of a pool are for. */
    enum Use {
        READ,
        WRITE
    }

    /** Where the tables are unless somebody says otherwise. */
    static final String SCHEMA = "parley";

    private static final Schema TABLES = Schema.beside(Connector.class, 3);
    private static final Pattern PLAIN_NAME = Pattern.compile("[a-z][a-z0-9_-]{0,54}");
    private static final int REPLY_SECONDS = 3;
    private static final int POOL_WAIT_MILLIS = 1_500;
    private static final int VALIDATION_MILLIS = 1_000;
    private static final long MIGRATION_LOCK = 0x7061726c6579L;

    // A control plane that stops in the midst of a commit must not keep the others from writing: the server ends its
    // session.
    private static final String SERVER_LIMITS =
            "-c statement_timeout=2500 -c lock_timeout=2500 -c idle_in_transaction_session_timeout=3000";

    Connector {
        if (!PLAIN_NAME.matcher(schema).matches()) {
            throw new IllegalArgumentException("schema: " + schema + " (expected: " + PLAIN_NAME + ")");
        }
    }

    /** What commits are announced on: by the name of the schema, so that one is not woken by another's. */
    String channel() {
        return quoted(schema + "_history");
    }

    /** A name without quotes in it, for use in a statement. */
    private static String quoted(String name) {
        return '"' + name + '"';
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), properties());
    }

    HikariDataSource pool(String name, int size, Use use) {
        var config = new HikariConfig();
        config.setPoolName(name);
        config.setJdbcUrl(jdbcUrl());
        config.setDataSourceProperties(properties());
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(POOL_WAIT_MILLIS);
        config.setValidationTimeout(VALIDATION_MILLIS);
        config.setInitializationFailTimeout(-1);
        if (use == Use.READ) {
            // One snapshot for all statements of a transaction.
            config.setReadOnly(true);
            config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
        }
        return new HikariDataSource(config);
    }

    private String jdbcUrl() {
        return "jdbc:postgresql://" + url.hosts() + "/" + url.database();
    }

    private Properties properties() {
        var properties = new Properties();
        properties.setProperty("ApplicationName", "parley");
        properties.putAll(url.options());
        properties.setProperty("user", url.user());
        properties.setProperty("password", url.password());
        properties.setProperty("currentSchema", quoted(schema));
        properties.setProperty("options", SERVER_LIMITS);
        properties.setProperty("connectTimeout", "2");
        properties.setProperty("loginTimeout", Integer.toString(REPLY_SECONDS));
        properties.setProperty("socketTimeout", Integer.toString(REPLY_SECONDS));
        properties.setProperty("cancelSignalTimeout", "1");
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("reWriteBatchedInserts", "true");
        return properties;
    }

    /** Brings the tables up to date, once, however many control planes start together. */
    void migrate() {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SELECT pg_advisory_xact_lock(" + MIGRATION_LOCK + ")");
            // Asked first, as CREATE SCHEMA needs a right that a prepared database need not give.
            try (ResultSet row =
                    statement.executeQuery("SELECT 1 FROM pg_namespace WHERE nspname = '" + schema + "'")) {
                if (!row.next()) {
                    connection.createStatement().execute("CREATE SCHEMA " + quoted(schema));
                }
            }
            TABLES.migrate(connection);
            connection.commit();
        } catch (SQLException e) {
            throw unavailable(e);
        }
    }

    StoreException unavailable(SQLException e) {
        return new StoreException(new Failure.Unavailable(url + ": " + e.getMessage()), e);
    }
}
