package io.parley.agreement.sync;

import java.util.Map;

/** Whether a resource leaves the control plane that has it. */
public final class Travel {
    private Travel() {}

    /** Whether a zone tells global of it: only of what the zone itself made, and unless its label forbids it. */
    public static boolean toGlobal(Map<String, String> labels) {
        return mayLeave(labels) && !(Origin.of(labels) instanceof Origin.Global);
    }

    /**
     * Whether global tells zones of it at all; never the zone that made it. What a zone made goes to others only if they need it to reach
     * that zone, or if it is a policy for the users of the zone's services.
     *
     * @param reach whether resources of this kind are for other zones
     */
    public static boolean toZones(Map<String, String> labels, Reach reach) {
        if (!mayLeave(labels)) {
            return false;
        }
        return switch (Origin.of(labels)) {
            case Origin.Global _, Origin.Unlabelled _ -> true;
            case Origin.OfZone _ ->
                switch (reach) {
                    case ALL_ZONES -> true;
                    case PRODUCERS_ONLY -> SyncLabels.PRODUCER.equals(labels.get(SyncLabels.POLICY_ROLE));
                    case OWN_ZONE -> false;
                };
        };
    }

    private static boolean mayLeave(Map<String, String> labels) {
        return !SyncLabels.DISABLED.equals(labels.get(SyncLabels.SYNC));
    }

    /** How far a zone's resources of a kind go. */
    public enum Reach {
        /** Others need it to reach the zone, such as its ingress. */
        ALL_ZONES,
        /** A policy: only if made for users of the zone's services. */
        PRODUCERS_ONLY,
        /** Nobody else's business. */
        OWN_ZONE;

        public static Reach of(String kind) {
            return switch (kind) {
                case "ZoneIngress" -> ALL_ZONES;
                case "Dataplane", "ZoneEgress", "Workload" -> OWN_ZONE;
                default -> kind.endsWith("Insight") ? OWN_ZONE : PRODUCERS_ONLY;
            };
        }
    }
}
