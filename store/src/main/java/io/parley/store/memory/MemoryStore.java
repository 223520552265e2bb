package io.parley.store.memory;

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
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** All in memory, behind one lock that is never held for I/O. */
public final class MemoryStore implements ResourceStore {
    private final ReentrantLock lock = new ReentrantLock();
    private final Rows rows = new Rows();
    private final Head head = new Head();
    private final History history;
    private final InstantSource clock;

    public MemoryStore(Retention retention, InstantSource clock) {
        this.history = new History(retention);
        this.clock = clock;
    }

    @Override
    public Optional<Stored> find(ResourceKey key) {
        return locked(() -> rows.find(key));
    }

    @Override
    public Page list(Query query) {
        return locked(() -> rows.list(query, history.head()));
    }

    @Override
    public Committed commit(List<Change> changes) {
        Reads reads = Reads.of(changes);
        Plan plan = locked(() -> {
            Plan decided = Planner.plan(changes, rows.read(reads), history.head(), clock.instant());
            if (!decided.changesNothing()) {
                decided.events().forEach(rows::apply);
                history.append(decided.revision(), decided.events());
            }
            return decided;
        });
        head.move();
        return new Committed(plan.revision(), plan.outcomes());
    }

    @Override
    public Revision revision() {
        return locked(history::head);
    }

    @Override
    public Watch watch(Revision after) {
        return new HistoryWatch(revision -> locked(() -> history.after(revision)), head, after);
    }

    @Override
    public void close() {
        head.close();
    }

    private <T> T locked(Supplier<T> work) {
        head.demandOpen();
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
