package io.parley.proxy.telemetry;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs what goes wrong again and again, such as why the proxy answered in a server's place, which clients are not told: at once when it is
 * new, and then once a minute for as long as it goes on.
 */
public final class FailureLog {
    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);
    private static final int MAX_KEPT = 500;
    private static final long LOG_AGAIN_NANOS = Duration.ofMinutes(1).toNanos();

    /** What failed for whom. */
    private record Key(String target, String cause) {}

    /** How often since the last line. */
    private record Entry(long count, long loggedAt) {}

    private final String subject;
    private final String verb;
    private final Level level;
    private final Map<Key, Entry> kept = new ConcurrentHashMap<>();

    /** Lines are made of what fails, for whom, and how: {@code requests to} a target {@code fail}. */
    public FailureLog(String subject, String verb) {
        this(subject, verb, Level.WARN);
    }

    /** The same for what need not be anybody's fault here. */
    public FailureLog(String subject, String verb, Level level) {
        this.subject = subject;
        this.verb = verb;
        this.level = level;
    }

    /** Those of more than a minute ago would be logged at once anyway; all of this minute's only if there are too many, which then are logged more often. */
    private void makeRoom(long now) {
        kept.values().removeIf(entry -> now - entry.loggedAt >= LOG_AGAIN_NANOS);
        if (kept.size() >= MAX_KEPT) {
            kept.clear();
        }
    }

    /** Takes a failure; the text is the last one's, of all that a line counts. */
    public void note(String target, String cause, String text, long now) {
        Key key = new Key(target, cause);
        if (kept.size() >= MAX_KEPT && !kept.containsKey(key)) {
            makeRoom(now);
        }
        long[] due = new long[1];
        kept.compute(key, (_, before) -> {
            long count = before == null ? 1 : before.count + 1;
            if (before != null && now - before.loggedAt < LOG_AGAIN_NANOS) {
                return new Entry(count, before.loggedAt);
            }
            due[0] = count;
            return new Entry(0, now);
        });
        if (due[0] > 0) {
            LOG.atLevel(level).log("{} {} {}: {} ({}, {} times)", subject, target, verb, text, cause, due[0]);
        }
    }
}
