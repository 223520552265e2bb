package io.parley.proxy.exchange;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** When an exchange has taken too long. Progress is only marked when it happens; the clock is read when it is asked for. */
final class Deadlines {
    /** What has run out. */
    enum Expired {
        NOTHING,
        WHOLE,
        IDLE
    }

    private long started;
    private long wholeNanos;
    private long progressAt;
    private boolean progressed;

    void begin(long now) {
        started = now;
        wholeNanos = 0;
        progressAt = now;
        progressed = false;
    }

    long started() {
        return started;
    }

    /** How long all of it may take; null or zero is for ever. */
    void whole(@Nullable Duration time) {
        wholeNanos = time == null ? 0 : time.toNanos();
    }

    void progressed() {
        progressed = true;
    }

    Expired look(long now, Duration idle) {
        if (progressed) {
            progressed = false;
            progressAt = now;
        }
        if (wholeNanos > 0 && now - started >= wholeNanos) {
            return Expired.WHOLE;
        }
        return !idle.isZero() && now - progressAt > idle.toNanos() ? Expired.IDLE : Expired.NOTHING;
    }
}
