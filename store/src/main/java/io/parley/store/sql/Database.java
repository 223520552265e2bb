package io.parley.store.sql;

/** Runs work on connections, and turns what goes wrong with them into {@link io.parley.store.StoreException}s. */
public interface Database extends AutoCloseable {
    /** Runs a single statement that reads. */
    <T> T read(SqlWork<T> work);

    /** Runs statements that read, all of which see the state of one moment. */
    <T> T snapshot(SqlWork<T> work);

    /**
     * Runs work in a transaction of its own, after which no other writer of any process comes in between, and returns when it is
     * durable. If the work throws, nothing of it stays; work that refuses by a {@code StoreException} does so before it writes.
     */
    <T> T write(SqlWork<T> work);

    @Override
    void close();
}
