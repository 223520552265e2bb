package io.parley.store.sql;

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
import io.parley.store.engine.HistoryWatch;
import io.parley.store.engine.Plan;
import io.parley.store.engine.Planner;
import io.parley.store.engine.Reads;
import io.parley.store.engine.Storable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Reads what a commit touches, decides it in memory, writes what was decided. */
public final class SqlStore implements ResourceStore {
    private final Database database;
    private final HistoryTable history;
    private final Head head;
    private final InstantSource clock;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * A store on a database whose schema is there.
     *
     * @param head moved by this store for its own commits, and by whoever learns of the commits of other processes
     */
    public SqlStore(Database database, Retention retention, Head head, InstantSource clock) {
        this.database = database;
        this.history = new HistoryTable(retention);
        this.head = head;
        this.clock = clock;
    }

    @Override
    public Optional<Stored> find(ResourceKey key) {
        head.demandOpen();
        return Storable.isKey(key)
                ? database.read(connection -> ResourceTable.find(connection, key))
                : Optional.empty();
    }

    @Override
    public Page list(Query query) {
        head.demandOpen();
        return Storable.canMatch(query)
                ? database.snapshot(connection -> PageQuery.run(connection, query))
                : new Page(List.of(), 0, null, revision());
    }

    @Override
    public Committed commit(List<Change> changes) {
        head.demandOpen();
        Reads reads = Reads.of(changes);
        Plan plan = database.write(connection -> commit(connection, changes, reads));
        if (!plan.changesNothing()) {
            head.move();
        }
        return new Committed(plan.revision(), plan.outcomes());
    }

    private Plan commit(Connection connection, List<Change> changes, Reads reads) throws SQLException {
        HistoryTable.Bounds bounds = HistoryTable.bounds(connection);
        List<Stored> before = ResourceTable.read(connection, reads);
        Plan plan = Planner.plan(changes, before, bounds.head(), clock.instant());
        if (!plan.changesNothing()) {
            ResourceTable.apply(connection, plan.finalEvents());
            history.append(connection, bounds, plan);
        }
        return plan;
    }

    @Override
    public Revision revision() {
        head.demandOpen();
        return database.read(HistoryTable::bounds).head();
    }

    @Override
    public Watch watch(Revision after) {
        head.demandOpen();
        return new HistoryWatch(
                revision -> database.snapshot(connection -> HistoryQuery.after(connection, revision)), head, after);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            head.close();
            database.close();
        }
    }
}
