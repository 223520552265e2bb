package io.parley.xds.server.snapshot;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A cell that holds what is current for one node, or for many nodes that get the same. One thread or many publish; streams watch. Until
 * the first snapshot is published nothing is served, which is not the same as serving nothing.
 */
public final class LiveSnapshot {
    private final AtomicReference<@Nullable Snapshot> current = new AtomicReference<>();
    private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();

    /** Is told of changes on the publisher's thread: must only note them and return. */
    @FunctionalInterface
    public interface Watcher {
        /** What changed, by canonical type URL; empty when the first snapshot is empty. */
        void changed(Map<String, Changes> changes);
    }

    public LiveSnapshot() {}

    public LiveSnapshot(Snapshot first) {
        current.set(first);
    }

    public Optional<Snapshot> current() {
        return Optional.ofNullable(current.get());
    }

    /** Puts a snapshot in the place of the last one and wakes whom it concerns; the same content twice wakes nobody. */
    public void publish(Snapshot snapshot) {
        Snapshot earlier = current.getAndSet(snapshot);
        Map<String, Changes> changes = snapshot.changesSince(earlier == null ? Snapshot.EMPTY : earlier);
        if (earlier == null || !changes.isEmpty()) {
            watchers.forEach(watcher -> watcher.changed(changes));
        }
    }

    public void watch(Watcher watcher) {
        watchers.add(watcher);
    }

    public void unwatch(Watcher watcher) {
        watchers.remove(watcher);
    }

    /** How many streams are served from here; whoever made the cell may drop it at zero. */
    public int watcherCount() {
        return watchers.size();
    }
}
