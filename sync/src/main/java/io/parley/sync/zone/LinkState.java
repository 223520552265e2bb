package io.parley.sync.zone;

import io.parley.agreement.sync.PriorityClass;
import java.time.Duration;
import java.time.Instant;

/** How it stands between a zone and global, for one class of kinds. */
public sealed interface LinkState {
    PriorityClass kinds();

    /** Streams are open. */
    record Connected(PriorityClass kinds, String version, Instant since) implements LinkState {}

    /** Global has one stream for all classes of kinds, and it is opened for another class. */
    record Elsewhere(PriorityClass kinds) implements LinkState {}

    /** An attempt is under way. */
    record Connecting(PriorityClass kinds) implements LinkState {}

    /** The next attempt is due after a while. */
    record Waiting(PriorityClass kinds, String because, Duration until) implements LinkState {}

    /** Nothing more happens. */
    record Closed(PriorityClass kinds) implements LinkState {}
}
