package io.parley.control.app;

import io.parley.control.access.Place;
import io.parley.sync.zone.Channels;

/** What a control plane is to others. */
public sealed interface Mode {
    /** Alone. */
    record Standalone() implements Mode {}

    /** Zones follow it. */
    record Global() implements Mode {}

    /** It follows a global control plane, and works without it while that is away. */
    record Zone(String name, Channels global) implements Mode {}

    default Place place() {
        return switch (this) {
            case Standalone _ -> new Place.Alone();
            case Global _ -> new Place.Global();
            case Zone zone -> new Place.Zone(zone.name());
        };
    }
}
