package io.parley.sync.zone;

import io.parley.agreement.sync.PriorityClass;
import java.time.Duration;

/** How it stands between a zone and global, for one class of kinds. */
public sealed interface LinkState {
    PriorityClass kinds();

    /** Streams are open. */
    record Connected(PriorityClass kinds, String version) implements LinkState {}

    /** An attempt is under way. */
    record Connecting(PriorityClass kinds) implements LinkState {}

    /** The next attempt is due after a while. */
    record Waiting(PriorityClass kinds, String because, Duration until) implements LinkState {}

    /** Nothing more happens. */
    record Closed(PriorityClass kinds) implements LinkState {}
}
