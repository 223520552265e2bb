package io.parley.control.connection;

import java.time.Duration;
import java.util.EnumMap;
import java.util.function.LongSupplier;

/** Counts frames that cost the sender nothing and the receiver something (CVE-2019-9512 and its kin), for half a minute each time. */
final class FrameBudget {
    /** A kind of frame, with its word in the log. */
    enum Kind {
        PING("ping-flood", 200),
        SETTINGS("settings-flood", 100),
        PRIORITY("priority-flood", 100),
        UNKNOWN("unknown-frame-flood", 1_000),

        /** Mistakes for which this side must reset a stream: a rapid reset made by the other hand (CVE-2025-8671). */
        MADE_RESET("made-reset", 200);

        private final String word;
        private final int allowance;

        Kind(String word, int allowance) {
            this.word = word;
            this.allowance = allowance;
        }

        String word() {
            return word;
        }
    }

    private static final long WINDOW_NANOS = Duration.ofSeconds(30).toNanos();

    private final LongSupplier ticker;
    private final EnumMap<Kind, Integer> counts = new EnumMap<>(Kind.class);
    private long since;
    private long carried;

    FrameBudget(LongSupplier ticker) {
        this.ticker = ticker;
        this.since = ticker.getAsLong();
    }

    /** A frame came that carries something: a head or content. */
    void carried() {
        carried++;
    }

    /** Whether one more of this kind is within the limits. */
    boolean allows(Kind kind) {
        int count = counts.merge(kind, 1, Integer::sum);
        // Programs of gRPC ping with each round of content, to find out how much fits on the way.
        long allowed = kind.allowance + (kind == Kind.PING ? carried : 0);
        if (count <= allowed) {
            return true;
        }
        long now = ticker.getAsLong();
        if (now - since <= WINDOW_NANOS) {
            return false;
        }
        counts.clear();
        since = now;
        carried = 0;
        return true;
    }
}
