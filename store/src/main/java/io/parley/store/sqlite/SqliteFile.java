package io.parley.store.sqlite;

import io.parley.store.Failure;
import io.parley.store.StoreException;
import io.parley.store.sql.Schema;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;

/** The database file, and how connections to it are set up. */
record SqliteFile(Path path) {
    private static final Schema SCHEMA = Schema.beside(SqliteFile.class, 2);
    private static final int BUSY_MILLIS = 5_000;
    private static final int MAX_IDLE_WAL_BYTES = 16 << 20;

    /** Makes the file, if need be, readable by its owner only: it holds secrets. SQLite gives its side files the same rights. */
    void create() throws IOException {
        try {
            var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
            Files.createFile(path, ownerOnly);
        } catch (FileAlreadyExistsException _) {
            // Opened before.
        }
    }

    Connection writer() throws SQLException {
        var config = config();
        // FULL makes a commit wait for fsync of the log; with less, a power cut could take back what was acknowledged.
        config.setSynchronous(SynchronousMode.FULL);
        config.setJournalMode(JournalMode.WAL);
        config.enforceForeignKeys(true);
        config.setJournalSizeLimit(MAX_IDLE_WAL_BYTES);
        return connect(config);
    }

    Connection reader() throws SQLException {
        Connection connection = connect(config());
        execute(connection, "PRAGMA query_only = ON");
        return connection;
    }

    private static SQLiteConfig config() {
        var config = new SQLiteConfig();
        config.setBusyTimeout(BUSY_MILLIS);
        return config;
    }

    private Connection connect(SQLiteConfig config) throws SQLException {
        return config.createConnection("jdbc:sqlite:" + path);
    }

    /** Checks the file and brings its tables up to date. */
    static void prepare(Connection writer) throws SQLException {
        demand(writer, "PRAGMA quick_check(1)", "ok", "is damaged; restore it from a backup");
        demand(writer, "PRAGMA journal_mode", "wal", "is on a file system without shared memory; use a local one");
        execute(writer, "BEGIN IMMEDIATE");
        SCHEMA.migrate(writer);
        execute(writer, "COMMIT");
    }

    /**
     * Moves all of the write-ahead log into the main file and starts the log anew. What an earlier failed fsync left in the log
     * is then neither there to be read by a later recovery nor in the way of commits that come after it.
     */
    static void emptyLog(Connection writer) throws SQLException {
        demand(writer, "PRAGMA wal_checkpoint(TRUNCATE)", "0", "is busy: its log cannot be emptied");
    }

    private static void demand(Connection connection, String pragma, String expected, String otherwise)
            throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(pragma)) {
            String found = row.next() ? row.getString(1) : "nothing";
            if (!expected.equals(found)) {
                throw new StoreException(new Failure.Unusable("the store's file " + otherwise + " (" + pragma + ": "
                        + found + ", expected: " + expected + ")"));
            }
        }
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
