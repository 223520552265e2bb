package io.parley.proxy.tcp;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Targets whose servers were heard to speak first. A client of such a target is not waited for: the server is dialled at once.
 * That is all that is learned; a declaration always beats it, and a client that speaks first after all is still believed.
 */
public final class LearnedSilence {
    /** Enough for every service of a large mesh, little enough to be forgotten about. */
    private static final int MAX_TARGETS = 4_096;

    private final Map<String, LongAdder> targets = new ConcurrentHashMap<>();

    public boolean isSilent(String target) {
        return targets.containsKey(target);
    }

    void serverSpokeFirst(String target) {
        if (targets.size() < MAX_TARGETS || targets.containsKey(target)) {
            targets.computeIfAbsent(target, _ -> new LongAdder()).increment();
        }
    }

    void clientSpokeFirst(String target) {
        if (!targets.isEmpty()) {
            targets.remove(target);
        }
    }

    /** What was learned: how often each target's server has spoken first. */
    public SortedMap<String, Long> report() {
        SortedMap<String, Long> report = new TreeMap<>();
        targets.forEach((target, times) -> report.put(target, times.sum()));
        return report;
    }
}
