package io.parley.xds.server.snapshot;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A cell that holds what is current for one node, or for many nodes that get the same. One thread or many publish; streams watch. Until
 * the first snapshot is published nothing is served, which is not the same as serving nothing.
 */
public final class LiveSnapshot {
    private final AtomicReference<@Nullable Snapshot> current = new AtomicReference<>();
    private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
    private final Object membership = new Object();

    /** Replaced under the lock, so that publishers may walk it. */
    private volatile List<Company> companies = List.of();

    /** Is told of changes on the publisher's thread: must only note them and return. */
    @FunctionalInterface
    public interface Watcher {
        /** What changed, by canonical type URL; empty when the first snapshot is empty. */
        void changed(Map<String, Changes> changes);
    }

    /** Is told of changes on a thread that it shares with others, one after the other: the publisher does not even look at it. */
    public interface Member {
        /** What changed since it was last told, never nothing; to one that has just joined maybe what it found changed already. */
        void changed(List<Change> changes);

        /** Its thread takes no more work. */
        void unreachable();

        /** To be told was too much for it: it may have missed the change. Others are told all the same. */
        void failed(Throwable fault);
    }

    /**
     * A change that was published.
     *
     * @param byType what changed, by canonical type URL; empty when the first snapshot is empty
     * @param at when, by the clock of those who are told
     */
    public record Change(Map<String, Changes> byType, long at) {}

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
            companies.forEach(company -> company.tell(changes));
        }
    }

    public void watch(Watcher watcher) {
        watchers.add(watcher);
    }

    public void unwatch(Watcher watcher) {
        watchers.remove(watcher);
    }

    /**
     * Has a watcher told together with all that share its thread.
     *
     * @param thread runs one task at a time, in the order in which they come
     */
    public void watch(Member member, Executor thread, LongSupplier ticker) {
        synchronized (membership) {
            company(thread, ticker).add(member);
        }
    }

    public void unwatch(Member member, Executor thread) {
        synchronized (membership) {
            for (Company company : companies) {
                if (company.isOn(thread) && company.removeAndIsEmpty(member)) {
                    List<Company> fewer = new ArrayList<>(companies);
                    fewer.remove(company);
                    companies = List.copyOf(fewer);
                }
            }
        }
    }

    private Company company(Executor thread, LongSupplier ticker) {
        for (Company company : companies) {
            if (company.isOn(thread)) {
                return company;
            }
        }
        Company made = new Company(thread, ticker);
        List<Company> more = new ArrayList<>(companies);
        more.add(made);
        companies = List.copyOf(more);
        return made;
    }

    /** How many streams are served from here; whoever made the cell may drop it at zero. */
    public int watcherCount() {
        return watchers.size() + companies.stream().mapToInt(Company::size).sum();
    }
}
