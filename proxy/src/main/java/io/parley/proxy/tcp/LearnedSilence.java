package io.parley.proxy.tcp;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Targets whose servers were heard to speak first. A client of such a target is not waited for: the server is dialled at once.
 * That is all that is learned; a declaration always beats it, and a client that speaks first after all is still believed.
 */
public final class LearnedSilence {
    /** Enough for every service of a large mesh, little enough to be forgotten about. */
    private static final int MAX_TARGETS = 4_096;

    /** How many are forgotten together when there are too many: looking for the oldest is not for each connection. */
    private static final int FORGOTTEN_AT_ONCE = MAX_TARGETS / 8;

    /** How often a target's server was heard, and when last, as a number that grows with each greeting. */
    private static final class Heard {
        private final LongAdder times = new LongAdder();
        private volatile long last;
    }

    private final Map<String, Heard> targets = new ConcurrentHashMap<>();
    private final AtomicLong greetings = new AtomicLong();

    public boolean isSilent(String target) {
        return targets.containsKey(target);
    }

    void serverSpokeFirst(String target) {
        if (targets.size() >= MAX_TARGETS && !targets.containsKey(target)) {
            forgetOldest();
        }
        Heard heard = targets.computeIfAbsent(target, _ -> new Heard());
        heard.times.increment();
        heard.last = greetings.incrementAndGet();
    }

    /** Addresses that nobody knows are targets too, so there is no end of them. Those whose servers are still heard stay. */
    private void forgetOldest() {
        long youngest = targets.values().stream()
                .mapToLong(heard -> heard.last)
                .sorted()
                .skip(FORGOTTEN_AT_ONCE - 1)
                .findFirst()
                .orElse(0);
        targets.values().removeIf(heard -> heard.last <= youngest);
    }

    void clientSpokeFirst(String target) {
        if (!targets.isEmpty()) {
            targets.remove(target);
        }
    }

    /** What was learned: how often each target's server has spoken first. */
    public SortedMap<String, Long> report() {
        SortedMap<String, Long> report = new TreeMap<>();
        targets.forEach((target, heard) -> report.put(target, heard.times.sum()));
        return report;
    }
}
