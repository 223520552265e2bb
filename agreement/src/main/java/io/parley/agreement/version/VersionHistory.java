package io.parley.agreement.version;

import java.util.HashSet;
import java.util.List;

/**
 * Every version that ever existed, oldest first. Versions are opaque: their order is their place in this list, so {@code v3.1}
 * may follow {@code v3} without anybody parsing it.
 */
public record VersionHistory<V>(List<V> oldestFirst) {
    /** Support covers the newest version and the one before: old peers get one release to move (gRPC A30, draft policy). */
    private static final int SUPPORTED_AT_A_TIME = 2;

    public VersionHistory {
        oldestFirst = List.copyOf(oldestFirst);
        if (oldestFirst.isEmpty()) {
            throw new IllegalArgumentException("versions: none (expected: at least one)");
        }
        if (new HashSet<>(oldestFirst).size() != oldestFirst.size()) {
            throw new IllegalArgumentException("versions: " + oldestFirst + " (expected: each one once)");
        }
    }

    /** What a program supports whose newest version is the newest that exists. */
    public VersionWindow<V> window() {
        return windowUpTo(oldestFirst.getLast());
    }

    /** What a program supported at the time when {@code newest} was the newest version: that one and its predecessor. */
    public VersionWindow<V> windowUpTo(V newest) {
        int last = oldestFirst.indexOf(newest);
        if (last < 0) {
            throw new IllegalArgumentException("version: " + newest + " (expected: one of " + oldestFirst + ")");
        }
        int first = Math.max(0, last + 1 - SUPPORTED_AT_A_TIME);
        return new VersionWindow<>(oldestFirst.subList(first, last + 1).reversed());
    }
}
