package io.parley.store.sqlite;

import io.parley.store.Failure;
import io.parley.store.StoreException;
import io.parley.store.sql.SqlWork;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Work that somebody waits for. What it found is told only once it is durable. */
final class WriteJob<T> {
    private final SqlWork<T> work;
    private final CompletableFuture<T> told = new CompletableFuture<>();
    private @Nullable T result;

    WriteJob(SqlWork<T> work) {
        this.work = work;
    }

    /** Runs the work, unless nobody waits for it any more; what it refuses or fails at is its own affair, unless the database fails. */
    void attempt(Connection connection) throws SQLException {
        if (told.isDone()) {
            return;
        }
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

    /** What came of it. Work that has not begun by then never will; what has begun may yet be found done. */
    T await(Duration patience) {
        try {
            return told.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            told.completeExceptionally(
                    new StoreException(new Failure.Unavailable("the disk has not taken a write for " + patience), e));
            return outcome();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(new Failure.Unavailable("interrupted while the disk was written to"), e);
        } catch (ExecutionException e) {
            return outcome();
        }
    }

    private T outcome() {
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
