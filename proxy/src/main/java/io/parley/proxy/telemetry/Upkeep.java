package io.parley.proxy.telemetry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Drops series in which nothing has happened for a while, as Linkerd does: those of peers and targets that are gone would be shown for
 * ever, and keep new ones out. It looks at numbers now and then, so that nobody who counts has to tell it anything.
 */
final class Upkeep {
    /** As Linkerd has it. */
    static final Duration IDLE = Duration.ofMinutes(10);

    static final Duration PAUSE = Duration.ofMinutes(1);

    private final LongSupplier ticker;
    private final List<Kin> kin = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long lastAt;

    Upkeep(LongSupplier ticker) {
        this.ticker = ticker;
        lastAt = ticker.getAsLong();
    }

    /** Families with the same labels: their series of the same values are dropped together, when all of them are idle. */
    void add(List<Family<?>> families) {
        kin.add(new Kin(families));
    }

    /** Does what there is to do, unless it was done a moment ago or is being done; whether it did. */
    boolean run() {
        if (ticker.getAsLong() - lastAt < PAUSE.toNanos() || !lock.tryLock()) {
            return false;
        }
        try {
            long now = ticker.getAsLong();
            lastAt = now;
            kin.forEach(each -> each.run(now));
            return true;
        } finally {
            lock.unlock();
        }
    }

    private static final class Kin {
        private final List<Family<?>> families;
        private final Map<Labels, Seen> seen = new HashMap<>();

        /** What activity was found, and since when. */
        private record Seen(long activity, long since) {}

        Kin(List<Family<?>> families) {
            this.families = List.copyOf(families);
        }

        void run(long now) {
            for (Family<?> family : families) {
                family.stirred().forEach(this::restore);
            }
            Set<Labels> all = new HashSet<>();
            families.forEach(family -> all.addAll(family.labels()));
            seen.keySet().retainAll(all);
            all.forEach(labels -> look(labels, now));
        }

        private void look(Labels labels, long now) {
            long activity = activity(labels);
            Seen last = seen.get(labels);
            if (last == null
                    || last.activity != activity
                    || families.stream().anyMatch(family -> family.tellsOfNow(labels))) {
                seen.put(labels, new Seen(activity, now));
            } else if (now - last.since >= IDLE.toNanos()) {
                families.forEach(family -> family.drop(labels));
                if (activity(labels) != activity) {
                    restore(labels); // something happened at the last moment
                }
            }
        }

        private long activity(Labels labels) {
            return families.stream()
                    .mapToLong(family -> family.activity(labels))
                    .sum();
        }

        private void restore(Labels labels) {
            families.forEach(family -> family.restore(labels));
        }
    }
}
