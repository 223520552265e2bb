package io.parley.xds.server.session;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Sets of names, each kept once: a thousand clients of the same services ask for the same thousand names. A set goes when the last stream
 * that uses it does.
 */
public final class NameSets {
    private final ConcurrentMap<Entry, Entry> entries = new ConcurrentHashMap<>();
    private final ReferenceQueue<Set<String>> gone = new ReferenceQueue<>();

    Set<String> share(Collection<String> names) {
        if (names.isEmpty()) {
            return Set.of();
        }
        expunge();
        Set<String> set = Set.copyOf(names);
        Entry made = new Entry(set, gone);
        while (true) {
            Entry found = entries.putIfAbsent(made, made);
            Set<String> shared = found == null ? set : found.get();
            if (shared != null) {
                return shared;
            }
            entries.remove(found, found);
        }
    }

    int size() {
        expunge();
        return entries.size();
    }

    private void expunge() {
        for (Object entry = gone.poll(); entry != null; entry = gone.poll()) {
            entries.remove(entry);
        }
    }

    private static final class Entry extends WeakReference<Set<String>> {
        private final int hash;

        Entry(Set<String> set, ReferenceQueue<Set<String>> gone) {
            super(set, gone);
            hash = set.hashCode();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            Set<String> mine = get();
            return mine != null && other instanceof Entry entry && hash == entry.hash && mine.equals(entry.get());
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
