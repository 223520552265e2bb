package io.parley.proxy.exchange;

import java.time.Duration;

/**
 * When a client's connection is to end: because the proxy drains, or because its way is no longer configured. What comes instead of such a
 * way may have other rules, and holds for the client's next connection.
 */
public final class Departure {
    private static final long GRACE_NANOS = Duration.ofSeconds(5).toNanos();

    private final Way way;
    private boolean begun;
    private long due;

    public Departure(Way way) {
        this.way = way;
    }

    public void begin(long now) {
        begun = true;
        due = now + GRACE_NANOS;
    }

    /** Begins if the way has ended; true the one time that it does. */
    public boolean beginsByItself(long now) {
        if (begun || !way.isOver()) {
            return false;
        }
        begin(now);
        return true;
    }

    /** Whether the answer to the request at hand is the last. */
    public boolean isWanted() {
        return begun || way.isOver();
    }

    /** Whether a client that has nothing under way has had the time to send what was on its way. */
    public boolean isDue(long now) {
        return begun && now - due >= 0;
    }
}
