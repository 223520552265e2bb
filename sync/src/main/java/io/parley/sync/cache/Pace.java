package io.parley.sync.cache;

import io.parley.agreement.sync.PriorityClass;
import io.parley.resource.KindId;
import io.parley.resource.kind.Kind;
import io.parley.resource.read.Durations;
import io.parley.sync.codec.SyncKinds;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How often changes of a kind are sent. The first change after a quiet time goes at once, whatever its kind; those that follow within the
 * interval wait for its end and go together.
 *
 * @param informational interval of informational kinds that are not listed
 * @param byKind intervals of single kinds, operational ones included
 */
public record Pace(Duration informational, Map<KindId, Duration> byKind) {
    public static final Pace DEFAULT = new Pace(Duration.ofSeconds(1), Map.of());

    /** Longer ones are a mistake in the unit, and would make what the other side shows useless. */
    private static final Duration LONGEST = Duration.ofHours(1);

    public Pace {
        byKind = Map.copyOf(byKind);
        if (informational.isNegative() || byKind.values().stream().anyMatch(Duration::isNegative)) {
            throw new IllegalArgumentException("interval: negative (expected: nothing or more)");
        }
    }

    /**
     * As people write it: {@code KIND=DURATION} for one kind, {@code DURATION} for informational kinds that are not listed.
     *
     * @throws IllegalArgumentException if one of them is not good
     */
    public static Pace parse(List<String> intervals) {
        Duration informational = DEFAULT.informational();
        Map<KindId, Duration> byKind = new HashMap<>();
        for (String each : intervals) {
            int equals = each.indexOf('=');
            Duration interval = interval(each, each.substring(equals + 1));
            if (equals < 0) {
                informational = interval;
            } else {
                byKind.put(kind(each, each.substring(0, equals)), interval);
            }
        }
        return new Pace(informational, byKind);
    }

    private static Duration interval(String all, String text) {
        return Durations.parse(text.strip())
                .filter(interval -> !interval.isNegative() && interval.compareTo(LONGEST) <= 0)
                .orElseThrow(() -> new IllegalArgumentException(
                        all + " (expected: KIND=DURATION or DURATION, from 0s to " + LONGEST.toMinutes() + "m)"));
    }

    private static KindId kind(String all, String name) {
        return Stream.concat(SyncKinds.toZones().stream(), SyncKinds.toGlobal().stream())
                .map(Kind::id)
                .filter(id -> id.value().equals(name.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        all + " (expected: a kind that zones and global exchange, such as Dataplane)"));
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
