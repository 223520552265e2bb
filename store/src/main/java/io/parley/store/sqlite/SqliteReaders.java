package io.parley.store.sqlite;

import io.parley.store.Failure;
import io.parley.store.StoreException;
import io.parley.store.sql.SqlWork;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A few connections that only read. Few, as each call into SQLite holds on to the carrier of a virtual thread. */
final class SqliteReaders implements AutoCloseable {
    private static final int COUNT = 4;
    private static final long PATIENCE_SECONDS = 5;

    private final SqliteFile file;
    private final Semaphore permits = new Semaphore(COUNT, true);
    private final ConcurrentLinkedQueue<Connection> idle = new ConcurrentLinkedQueue<>();

    SqliteReaders(SqliteFile file) {
        this.file = file;
    }

    <T> T run(SqlWork<T> work) {
        acquire(1);
        try {
            return runOn(idle.poll(), work);
        } catch (SQLException e) {
            throw SqliteFaults.unavailable(e);
        } finally {
            permits.release();
        }
    }

    /** A connection on which something failed, also within a transaction, is not used again. */
    private <T> T runOn(@Nullable Connection pooled, SqlWork<T> work) throws SQLException {
        Connection connection = pooled == null ? file.reader() : pooled;
        try {
            T result = work.on(connection);
            idle.add(connection);
            return result;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private void acquire(int count) {
        try {
            if (!permits.tryAcquire(count, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new StoreException(new Failure.Unavailable("no reader was free for " + PATIENCE_SECONDS + " s"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(new Failure.Unavailable("interrupted while waiting for a reader"), e);
        }
    }

    /** Waits for those who read; afterwards nobody can. */
    @Override
    public void close() {
        permits.acquireUninterruptibly(COUNT);
        for (Connection connection = idle.poll(); connection != null; connection = idle.poll()) {
            SqliteWriter.closeQuietly(connection);
        }
    }
}
