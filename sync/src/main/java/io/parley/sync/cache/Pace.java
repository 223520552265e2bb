package io.parley.sync.cache;

import io.parley.agreement.sync.PriorityClass;
import io.parley.resource.KindId;
import java.time.Duration;
import java.util.Map;

/**
 * How often changes of a kind are sent. The first change after a quiet time goes at once, whatever its kind; those that follow within the
 * interval wait for its end and go together.
 *
 * @param informational interval of informational kinds that are not listed
 * @param byKind intervals of single kinds, operational ones included
 */
public record Pace(Duration informational, Map<KindId, Duration> byKind) {
    public static final Pace DEFAULT = new Pace(Duration.ofSeconds(1), Map.of());

    public Pace {
        byKind = Map.copyOf(byKind);
        if (informational.isNegative() || byKind.values().stream().anyMatch(Duration::isNegative)) {
            throw new IllegalArgumentException("interval: negative (expected: nothing or more)");
        }
    }

    /** Operational kinds do not wait. */
    public Duration of(KindId kind) {
        Duration listed = byKind.get(kind);
        if (listed != null) {
            return listed;
        }
        return switch (PriorityClass.of(kind.value())) {
            case OPERATIONAL -> Duration.ZERO;
            case INFORMATIONAL -> informational;
        };
    }
}
