package io.parley.agreement.sync;

import java.util.Map;
import java.util.Optional;

/** Who may write a resource where: its origin, and nobody else. Answers are reasons for a refusal. */
public final class Authorship {
    private Authorship() {}

    /** Why people may not write this on the global control plane, if so. */
    public static Optional<String> refusalOnGlobal(Map<String, String> present) {
        return Origin.of(present) instanceof Origin.OfZone(String zone)
                ? Optional.of("made in zone " + zone + " and read-only here; change it there")
                : Optional.empty();
    }

    /** Why people may not change what is already in a zone, if so. */
    public static Optional<String> refusalInZone(Map<String, String> present) {
        return Origin.of(present) instanceof Origin.Global
                ? Optional.of("a copy of the global control plane's and read-only here; change it there")
                : Optional.empty();
    }

    /**
     * Why people may not put this policy into a zone that follows a global control plane, if so (case 29): it must say that the zone made
     * it, so that a manifest meant for global is not applied in one zone by mistake.
     */
    public static Optional<String> refusalOfPolicy(Map<String, String> given, String zone) {
        String origin = given.getOrDefault(SyncLabels.ORIGIN, "");
        if (!origin.equals(SyncLabels.ORIGIN_ZONE)) {
            return Optional.of("label " + SyncLabels.ORIGIN + ": " + (origin.isEmpty() ? "absent" : origin)
                    + " (expected: " + SyncLabels.ORIGIN_ZONE + ", for a policy of this zone only;"
                    + " policies of all zones are applied to the global control plane)");
        }
        String named = given.getOrDefault(SyncLabels.ZONE, zone);
        return named.equals(zone)
                ? Optional.empty()
                : Optional.of(
                        "label " + SyncLabels.ZONE + ": " + named + " (expected: " + zone + ", or no such label)");
    }
}
