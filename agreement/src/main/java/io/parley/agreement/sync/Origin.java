package io.parley.agreement.sync;

import java.util.Map;

/** Who made a resource, as its labels say. Whoever made it is its only writer; everybody else has copies. */
public sealed interface Origin {
    /** The global control plane, or another zone by way of it. */
    record Global() implements Origin {}

    /**
     * A zone.
     *
     * @param zone its name; empty where the resource says only that a zone made it, which means the one that it is in
     */
    record OfZone(String zone) implements Origin {}

    /** Made before there were labels, or where there is only one control plane: it belongs where it is. */
    record Unlabelled() implements Origin {}

    static Origin of(Map<String, String> labels) {
        return switch (labels.getOrDefault(SyncLabels.ORIGIN, "")) {
            case SyncLabels.ORIGIN_GLOBAL -> new Global();
            case SyncLabels.ORIGIN_ZONE -> new OfZone(labels.getOrDefault(SyncLabels.ZONE, ""));
            default -> new Unlabelled();
        };
    }
}
