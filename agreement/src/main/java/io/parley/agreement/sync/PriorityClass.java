package io.parley.agreement.sync;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** How urgent changes of a kind are (Kuma KDS redesign, "Prioritize operational informations"). */
public enum PriorityClass {
    /** Traffic depends on it: sent at once. */
    OPERATIONAL,
    /** People look at it: may be late, and several changes of one resource may become one. */
    INFORMATIONAL;

    private static final Set<String> INFORMATIONAL_KINDS = Set.of("Dataplane", "Workload");

    /** The class of a kind. */
    public static PriorityClass of(String kind) {
        return kind.endsWith("Insight") || INFORMATIONAL_KINDS.contains(kind) ? INFORMATIONAL : OPERATIONAL;
    }

    /** As a zone announces the class of a stream. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<PriorityClass> parse(String text) {
        for (PriorityClass each : values()) {
            if (each.text().equals(text)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }
}
