package io.parley.proxy.telemetry;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is wrong with clusters: counted each time, logged when it is new or has not been for a while, and kept for who asks. */
public final class Complaints {
    private static final Logger LOG = LoggerFactory.getLogger(Complaints.class);
    private static final int MAX_KEPT = 500;
    private static final long LOG_AGAIN_NANOS = Duration.ofMinutes(1).toNanos();

    /**
     * The last complaint about a cluster.
     *
     * @param rule the word for what was broken
     * @param count how often this was said
     */
    public record Complaint(String cluster, String rule, String text, long count, long loggedAt) {}

    private final Map<String, Complaint> kept = new ConcurrentHashMap<>();

    /** Takes a complaint. */
    public void note(String cluster, String rule, String text, long now) {
        if (kept.size() >= MAX_KEPT && !kept.containsKey(cluster)) {
            return;
        }
        Complaint noted = kept.compute(cluster, (name, before) -> {
            if (before == null || !before.text.equals(text)) {
                return new Complaint(name, rule, text, 1, now);
            }
            boolean again = now - before.loggedAt > LOG_AGAIN_NANOS;
            return new Complaint(name, rule, text, before.count + 1, again ? now : before.loggedAt);
        });
        if (noted.loggedAt == now) {
            LOG.warn("cluster {}: {} ({}, {} times)", cluster, text, rule, noted.count);
        }
    }

    /** All of them, at most one for each cluster. */
    public Collection<Complaint> all() {
        return List.copyOf(kept.values());
    }

    /** Forgets those about clusters that are no more. */
    public void retain(Collection<String> clusters) {
        kept.keySet().retainAll(clusters);
    }
}
