package io.parley.store.sqlite;

import io.parley.store.StoreException;
import io.parley.store.sql.SqlWork;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Work that somebody waits for. What it found is told only once it is durable. */
final class WriteJob<T> {
    private final SqlWork<T> work;
    private final CompletableFuture<T> told = new CompletableFuture<>();
    private @Nullable T result;

    WriteJob(SqlWork<T> work) {
        this.work = work;
    }

    /** Runs the work; what it refuses or fails at is its own affair, unless the database fails. */
    void attempt(Connection connection) throws SQLException {
        SqliteFile.execute(connection, "SAVEPOINT job");
        try {
            result = work.on(connection);
        } catch (RuntimeException | Error e) {
            SqliteFile.execute(connection, "ROLLBACK TO job");
            told.completeExceptionally(e);
        }
        SqliteFile.execute(connection, "RELEASE job");
    }

    void succeed() {
        told.complete(result);
    }

    void fail(StoreException e) {
        told.completeExceptionally(e);
    }

    T await() {
        try {
            return told.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case RuntimeException own -> throw own;
                case Error own -> throw own;
                case null, default -> throw e;
            }
        }
    }
}
