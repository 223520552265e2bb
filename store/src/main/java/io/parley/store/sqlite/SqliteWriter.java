package io.parley.store.sqlite;

import io.parley.store.Failure;
import io.parley.store.StoreException;
import io.parley.store.sql.SqlWork;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes. It is a platform thread, as fsync would hold on to the carrier of a virtual one, and it takes along
 * in one transaction all that waits, so that many writers share an fsync.
 *
 * <p>When the disk fails in a transaction, nobody knows which of its pages are on it: the kernel reports a failed fsync once and
 * may then call the lost pages clean. The connection is given up, and before the next write a fresh one empties the log. The
 * first write of a process does so too, as the process before it may have ended badly.
 */
final class SqliteWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteWriter.class);
    private static final int MAX_WAITING = 1_000;
    private static final int MAX_TOGETHER = 100;
    /** Together no more than five seconds: then whoever waits had better hear that the disk is ill. */
    private static final Duration PATIENCE_OF_QUEUE = Duration.ofSeconds(1);

    private static final Duration PATIENCE_OF_DISK = Duration.ofSeconds(4);

    private final BlockingQueue<WriteJob<?>> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final SqliteFile file;
    private final Duration patienceOfDisk;
    private final Thread thread;
    private @Nullable Connection connection;
    private volatile boolean closed;

    SqliteWriter(SqliteFile file) {
        this(file, PATIENCE_OF_DISK);
    }

    SqliteWriter(SqliteFile file, Duration patienceOfDisk) {
        this.file = file;
        this.patienceOfDisk = patienceOfDisk;
        this.thread = Thread.ofPlatform().name("store-writer").daemon().start(this::work);
    }

    <T> T run(SqlWork<T> work) {
        var job = new WriteJob<>(work);
        try {
            if (!waiting.offer(job, PATIENCE_OF_QUEUE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new StoreException(new Failure.Unavailable(MAX_WAITING + " writes are waiting for the disk"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(new Failure.Unavailable("interrupted before the write began"), e);
        }
        if (closed) {
            refuseWaiting();
        }
        return job.await(patienceOfDisk);
    }

    private void work() {
        while (!closed) {
            try {
                WriteJob<?> first = waiting.take();
                var jobs = new ArrayList<WriteJob<?>>(List.of(first));
                waiting.drainTo(jobs, MAX_TOGETHER - 1);
                write(jobs);
            } catch (InterruptedException _) {
                // Only close interrupts, and has said so.
            }
        }
        refuseWaiting();
        closeQuietly(connection);
    }

    private void refuseWaiting() {
        var late = new ArrayList<WriteJob<?>>();
        waiting.drainTo(late);
        late.forEach(job -> job.fail(new StoreException(new Failure.Closed())));
    }

    private void write(List<WriteJob<?>> jobs) {
        try {
            commit(trusted(), jobs);
            jobs.forEach(WriteJob::succeed);
        } catch (SQLException e) {
            LOG.warn("{} writes refused: {}", jobs.size(), e.getMessage());
            abandon(e);
            jobs.forEach(job -> job.fail(SqliteFaults.unavailable(e)));
        } catch (RuntimeException e) {
            jobs.forEach(
                    job -> job.fail(new StoreException(new Failure.Unavailable(String.valueOf(e.getMessage())), e)));
        }
    }

    private static void commit(Connection connection, List<WriteJob<?>> jobs) throws SQLException {
        SqliteFile.execute(connection, "BEGIN IMMEDIATE");
        for (WriteJob<?> job : jobs) {
            job.attempt(connection);
        }
        SqliteFile.execute(connection, "COMMIT");
    }

    private Connection trusted() throws SQLException {
        if (connection == null) {
            Connection fresh = file.writer();
            try {
                SqliteFile.emptyLog(fresh);
            } catch (SQLException | RuntimeException e) {
                closeQuietly(fresh);
                throw e;
            }
            connection = fresh;
        }
        return connection;
    }

    private void abandon(SQLException cause) {
        if (connection == null) {
            return;
        }
        boolean trusted = SqliteFaults.leavesFileTrusted(cause);
        try {
            SqliteFile.execute(connection, "ROLLBACK");
        } catch (SQLException e) {
            // SQLite rolls back by itself after some errors, and then has nothing to roll back.
            LOG.debug("after a failed commit: {}", e.getMessage());
        }
        if (!trusted) {
            closeQuietly(connection);
            connection = null;
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    static void closeQuietly(@Nullable Connection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            LOG.debug("on closing a connection: {}", e.getMessage());
        }
    }
}
