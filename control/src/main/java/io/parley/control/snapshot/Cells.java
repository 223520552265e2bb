package io.parley.control.snapshot;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The cells of proxies that are served, or were a moment ago. One that nobody watches any more is kept for a while, because whoever lost
 * its connection comes back, and then let go: else every name that a client ever made up would be kept, and built for, for ever.
 */
final class Cells {
    private static final Duration GRACE = Duration.ofMinutes(1);

    /** Nothing was made for these: all that is lost with them is their place. */
    private static final Duration GRACE_OF_THE_EMPTY = Duration.ofSeconds(10);

    private static final Duration PACE = Duration.ofSeconds(5);

    private final Map<ProxyKey, ProxyCell> cells = new ConcurrentHashMap<>();
    private final LongSupplier ticker;
    private final AtomicLong lookedAt;

    Cells(LongSupplier ticker) {
        this.ticker = ticker;
        this.lookedAt = new AtomicLong(ticker.getAsLong());
    }

    /** The cell of a proxy, new if there is none. From now on there is time to begin to watch it. */
    ProxyCell of(ProxyKey key, Consumer<ProxyCell> made) {
        return cells.compute(key, (_, known) -> {
            ProxyCell cell = known == null ? new ProxyCell(key) : known;
            cell.usedAt(ticker.getAsLong());
            if (known == null) {
                made.accept(cell);
            }
            return cell;
        });
    }

    @Nullable
    ProxyCell find(ProxyKey key) {
        return cells.get(key);
    }

    Set<ProxyKey> keys() {
        return cells.keySet();
    }

    /** Takes away those that nobody uses; looks at them every few seconds at most, however often it is asked. */
    List<ProxyKey> takeUnused() {
        long now = ticker.getAsLong();
        long last = lookedAt.get();
        if (now - last < PACE.toNanos() || !lookedAt.compareAndSet(last, now)) {
            return List.of();
        }
        List<ProxyKey> unused = new ArrayList<>();
        for (ProxyKey key : cells.keySet()) {
            cells.computeIfPresent(key, (_, cell) -> {
                if (isUsed(cell, now)) {
                    return cell;
                }
                unused.add(key);
                return null;
            });
        }
        return unused;
    }

    private static boolean isUsed(ProxyCell cell, long now) {
        if (cell.live().watcherCount() > 0) {
            cell.usedAt(now);
            return true;
        }
        Duration grace = cell.live().current().isPresent() ? GRACE : GRACE_OF_THE_EMPTY;
        return now - cell.usedAt() < grace.toNanos();
    }
}
