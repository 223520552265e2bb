package io.parley.proxy.tcp;

import io.parley.proxy.log.Entry;
import java.time.Duration;
import java.time.Instant;

/** A connection that is over, for logs that are told of connections. */
public final class SessionEntry {
    private SessionEntry() {}

    public static Entry of(Session session, Instant now, Duration took) {
        Accepted accepted = session.accepted();
        Agreed agreed = session.agreed();
        Choice choice = session.choice();
        Ending ending = session.ending();
        return new Entry(
                Entry.Subject.CONNECTION,
                now.minus(took),
                took,
                null,
                0,
                ending == null ? null : ending.cause(),
                session.received(),
                session.sent(),
                Entry.From.connection(accepted.client()),
                accepted.destination(),
                agreed == null || agreed.peer() == null ? null : agreed.peer().toString(),
                choice == null ? null : choice.endpoint().dialled(),
                choice == null ? null : choice.cluster(),
                null,
                Entry.Fields.NONE);
    }
}
