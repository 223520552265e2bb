package io.parley.control.connection;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Says of each kind of event whether it may be told: not for a minute after it was. There must be few kinds. */
final class OncePerMinute {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final LongSupplier ticker;
    private final Map<String, Long> told = new ConcurrentHashMap<>();

    OncePerMinute(LongSupplier ticker) {
        this.ticker = ticker;
    }

    boolean mayTell(String kind) {
        long now = ticker.getAsLong();
        Long before = told.get(kind);
        if (before != null && now - before < MINUTE) {
            return false;
        }
        // Of two that come together one may tell.
        return before == null ? told.putIfAbsent(kind, now) == null : told.replace(kind, before, now);
    }
}
