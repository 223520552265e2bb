package io.parley.sync;

import io.parley.resource.KindId;
import io.parley.resource.ResourceKey;
import io.parley.store.Change;
import io.parley.store.Committed;
import io.parley.store.Failure;
import io.parley.store.Page;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import io.parley.store.Revision;
import io.parley.store.StoreException;
import io.parley.store.Stored;
import io.parley.store.Watch;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A store that can be made to fail, and counts writes. */
final class BreakableStore implements ResourceStore {
    final AtomicInteger commits = new AtomicInteger();
    private final ResourceStore store = Samples.store();
    private volatile boolean broken;
    private volatile @Nullable Hook beforeCommit;

    private record Hook(KindId kind, Runnable action) {
        boolean isFor(List<Change> changes) {
            return changes.stream().anyMatch(change -> change.key().kind().equals(kind));
        }
    }

    void broken(boolean now) {
        broken = now;
    }

    /** Runs once, before the next commit that is about a resource of the kind. */
    void beforeNextCommitOf(KindId kind, Runnable action) {
        beforeCommit = new Hook(kind, action);
    }

    ResourceStore unbroken() {
        return store;
    }

    private void check() {
        if (broken) {
            throw new StoreException(new Failure.Unavailable("broken by a test"));
        }
    }

    @Override
    public Optional<Stored> find(ResourceKey key) {
        check();
        return store.find(key);
    }

    @Override
    public Page list(Query query) {
        check();
        return store.list(query);
    }

    @Override
    public Committed commit(List<Change> changes) {
        check();
        Hook hook = beforeCommit;
        if (hook != null && hook.isFor(changes)) {
            beforeCommit = null;
            hook.action().run();
        }
        commits.incrementAndGet();
        return store.commit(changes);
    }

    @Override
    public Revision revision() {
        check();
        return store.revision();
    }

    @Override
    public Watch watch(Revision after) {
        check();
        return store.watch(after);
    }

    @Override
    public void close() {
        store.close();
    }
}
