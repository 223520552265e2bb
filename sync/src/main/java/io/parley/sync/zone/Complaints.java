package io.parley.sync.zone;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Which failures of attempts that are made again and again are told to people: each reason when it is new, then now and then. */
final class Complaints {
    static final Duration REMINDER = Duration.ofMinutes(10);

    private final LongSupplier nanoTime;
    private @Nullable String last;
    private long saidAt;

    Complaints(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Whether to say it; who asks does so then. */
    boolean isNews(String reason) {
        long now = nanoTime.getAsLong();
        if (reason.equals(last) && now - saidAt < REMINDER.toNanos()) {
            return false;
        }
        last = reason;
        saidAt = now;
        return true;
    }

    /** It went well: the same failure is news from now on. */
    void forget() {
        last = null;
    }
}
