package io.parley.store.postgres;

import io.parley.resource.ResourceKey;
import io.parley.store.Change;
import io.parley.store.Committed;
import io.parley.store.Page;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.Revision;
import io.parley.store.Stored;
import io.parley.store.Watch;
import io.parley.store.engine.Head;
import io.parley.store.sql.SqlStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** A store in a PostgreSQL database, which other control planes may use at the same time. */
public final class PostgresStore implements ResourceStore {
    private final SqlStore store;
    private final CommitListener listener;

    private PostgresStore(SqlStore store, CommitListener listener) {
        this.store = store;
        this.listener = listener;
    }

    /**
     * Connects, and makes or updates the tables in the schema {@code parley}.
     *
     * @throws io.parley.store.StoreException if the database does not answer or refuses us
     */
    public static PostgresStore open(PostgresUrl url, Retention retention, InstantSource clock) {
        return open(url, Connector.SCHEMA, retention, clock);
    }

    /** The same in a schema of this name: stores of several schemas share a database and nothing else. */
    public static PostgresStore open(PostgresUrl url, String schema, Retention retention, InstantSource clock) {
        var connector = new Connector(url, schema);
        connector.migrate();
        var head = new Head();
        var store = new SqlStore(new PostgresDatabase(connector), retention, head, clock);
        return new PostgresStore(store, new CommitListener(connector, head));
    }

    @Override
    public Optional<Stored> find(ResourceKey key) {
        return store.find(key);
    }

    @Override
    public Page list(Query query) {
        return store.list(query);
    }

    @Override
    public Committed commit(List<Change> changes) {
        return store.commit(changes);
    }

    @Override
    public Revision revision() {
        return store.revision();
    }

    @Override
    public Watch watch(Revision after) {
        return store.watch(after);
    }

    @Override
    public void close() {
        listener.close();
        store.close();
    }
}
