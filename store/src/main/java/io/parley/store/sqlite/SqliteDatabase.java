package io.parley.store.sqlite;

import io.parley.store.Failure;
import io.parley.store.StoreException;
import io.parley.store.folder.FolderLock;
import io.parley.store.sql.Database;
import io.parley.store.sql.SqlWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/** One writer, a few readers, and the lock on the folder they work in. */
final class SqliteDatabase implements Database {
    private final FolderLock lock;
    private final SqliteWriter writer;
    private final SqliteReaders readers;

    private SqliteDatabase(FolderLock lock, SqliteWriter writer, SqliteReaders readers) {
        this.lock = lock;
        this.writer = writer;
        this.readers = readers;
    }

    static SqliteDatabase open(Path folder) {
        try {
            Files.createDirectories(folder);
            FolderLock lock = FolderLock.take(folder);
            try {
                return open(new SqliteFile(folder.resolve("store.db")), lock);
            } catch (IOException | SQLException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException | SQLException e) {
            throw new StoreException(
                    new Failure.Unusable("the store in " + folder + " cannot be opened: " + e.getMessage()), e);
        }
    }

    private static SqliteDatabase open(SqliteFile file, FolderLock lock) throws IOException, SQLException {
        file.create();
        try (Connection connection = file.writer()) {
            SqliteFile.prepare(connection);
            return new SqliteDatabase(lock, new SqliteWriter(file), new SqliteReaders(file));
        }
    }

    @Override
    public <T> T read(SqlWork<T> work) {
        return readers.run(work);
    }

    @Override
    public <T> T snapshot(SqlWork<T> work) {
        return readers.run(connection -> {
            SqliteFile.execute(connection, "BEGIN");
            T result = work.on(connection);
            SqliteFile.execute(connection, "COMMIT");
            return result;
        });
    }

    @Override
    public <T> T write(SqlWork<T> work) {
        return writer.run(work);
    }

    /** The writer goes last: the last connection to close empties the log into the main file. */
    @Override
    public void close() {
        readers.close();
        writer.close();
        lock.close();
    }
}
