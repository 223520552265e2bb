package io.parley.sync.status;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What this control plane knows of rejections, for each kind in either direction: the last one if it stands, nothing if all of the kind
 * is in step. Of what is not listed another control plane of the same store may know.
 */
final class Rejections {
    private final Map<About, Optional<ZoneStatus.Note>> known = new HashMap<>();

    /** Who rejected. */
    enum Direction {
        /** The zone, of what we sent. */
        SENT("sent"),
        /** We, of what the zone sent. */
        RECEIVED("received");

        private final String field;

        Direction(String field) {
            this.field = field;
        }

        String field() {
            return field;
        }
    }

    record About(Direction direction, String kind) {}

    void stands(Direction direction, String kind, ZoneStatus.Note note) {
        known.put(new About(direction, kind), Optional.of(note));
    }

    /** Whether that is news. */
    boolean settled(Direction direction, String kind) {
        Optional<ZoneStatus.Note> nothing = Optional.empty();
        return !nothing.equals(known.put(new About(direction, kind), nothing));
    }

    Map<About, Optional<ZoneStatus.Note>> known() {
        return Map.copyOf(known);
    }
}
