package io.parley.proxy.http1;

import io.netty.channel.Channel;
import io.parley.proxy.exchange.Departure;
import io.parley.proxy.exchange.Unsent;
import io.parley.proxy.exchange.Way;
import io.parley.proxy.http.HttpTimeouts;
import java.time.Duration;

/** For how long a client's connection has been as it is, and what that leads to. */
final class Patience {
    /** What is due. */
    enum Due {
        NOTHING,

        /** Nobody asks for anything. */
        IDLE,

        /** The head of a request does not come to its end. */
        HEAD,

        /** A request does not come to its end. */
        REQUEST,

        /** Nothing is taken of what is there for the client, and nobody else looks after that. */
        UNTAKEN,

        /** The client had the time to read why the connection ends. */
        END
    }

    private final Way way;
    private final Departure departure;
    private final Ending ending;
    private final Unsent unsent;
    private long since;

    Patience(Channel channel, Way way, Departure departure, Ending ending) {
        this.way = way;
        this.departure = departure;
        this.ending = ending;
        this.unsent = new Unsent(channel);
    }

    /** The client has done something that it has time for from now on. */
    void begin(long now) {
        since = now;
    }

    Due look(ServerState state, long now) {
        HttpTimeouts timeouts = way.config().timeouts();
        boolean stuck = unsent.isStuck(now, timeouts.untaken());
        return switch (state) {
            case IDLE -> stuck ? Due.UNTAKEN : dueIf(isIdle(now, timeouts.idle()), Due.IDLE);
            case HEAD -> dueIf(isPast(now, timeouts.head()), Due.HEAD);
            case BODY -> dueIf(isPast(now, timeouts.request()), Due.REQUEST);
            case ENDING -> stuck ? Due.UNTAKEN : dueIf(ending.isOver(now), Due.END);
            case TUNNEL -> dueIf(stuck, Due.UNTAKEN);
            case WAITING, ANSWER -> Due.NOTHING;
        };
    }

    private static Due dueIf(boolean so, Due what) {
        return so ? what : Due.NOTHING;
    }

    private boolean isIdle(long now, Duration time) {
        return unsent.isNone() && (isPast(now, time) || departure.isDue(now));
    }

    private boolean isPast(long now, Duration time) {
        return !time.isZero() && now - since > time.toNanos();
    }
}
