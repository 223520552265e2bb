package io.parley.proxy.exchange;

import io.parley.proxy.http.HttpTimeouts;
import io.parley.proxy.http.RouteAction;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When an exchange has taken too long. Progress is only marked when it happens; the clock is read when it is asked for.
 *
 * <p>The time that a route allows does not run while the client sends its request and the server takes it, as Envoy has it and the Gateway API allows: how
 * long that may take is for the listener to say.
 */
final class Deadlines {
    /** What has run out. */
    enum Expired {
        NOTHING,
        WHOLE,
        IDLE
    }

    private long started;
    private long countedFrom;
    private long wholeNanos;
    private @Nullable Duration idle;
    private long progressAt;
    private boolean progressed;
    private boolean receiving;
    private boolean owed;
    private boolean held;
    private boolean stalled;
    private boolean lifted;

    void begin(long now) {
        started = now;
        countedFrom = now;
        wholeNanos = 0;
        idle = null;
        progressAt = now;
        progressed = false;
        receiving = false;
        owed = false;
        held = false;
        stalled = false;
        lifted = false;
    }

    long started() {
        return started;
    }

    /** Takes over what the route allows: no time, or zero, is for ever. */
    void allow(RouteAction.Forward forward) {
        wholeNanos = forward.timeout() == null ? 0 : forward.timeout().toNanos();
        idle = forward.idle();
    }

    /** It is kept for so long on purpose, for which the time that the route allows is not meant. That there is no progress meanwhile counts, as in Envoy. */
    void postpone(Duration time) {
        countedFrom += time.toNanos();
    }

    /** It may take as long as both sides like. Once the client has said all that it had to say, the server alone is waited for, and not for ever. */
    void lift() {
        wholeNanos = 0;
        lifted = true;
    }

    void progressed() {
        progressed = true;
    }

    /** A server is there for the request. A client that asks for a tunnel owes nothing before it is answered. */
    void handed(boolean tunnel) {
        owed = !tunnel;
    }

    /** Something of the request has come. */
    void received(boolean last) {
        progressed = true;
        receiving = !last;
        owed = !last;
        lifted &= !last;
    }

    /** Whether the server takes no more of the request at the moment. */
    void held(boolean so) {
        held = so;
    }

    /** Whether the request has begun to come, has not come to its end, and it is not the server that it waits for. */
    boolean isReceiving() {
        return receiving && !stalled;
    }

    /** Whether there is more of the request to come, and a server is there and would take it. */
    boolean isClientAwaited() {
        return owed && !stalled;
    }

    /** How long there may be no progress, where the listener says {@code usual}. */
    Duration idle(Duration usual) {
        if (lifted) {
            return Duration.ZERO;
        }
        return idle == null ? usual : idle;
    }

    /** How long a copy of the request is waited for. There is nobody who would call it off, so it is never for ever. */
    Duration ofCopies(Duration usual) {
        Duration most = wholeNanos > 0 ? Duration.ofNanos(wholeNanos) : idle(usual);
        return most.isZero() ? HttpTimeouts.DEFAULT.streamIdle() : most;
    }

    Expired look(long now, Duration usual) {
        stalled = held && !progressed;
        if (progressed) {
            progressed = false;
            progressAt = now;
        }
        if (isReceiving()) {
            countedFrom = now;
        }
        if (wholeNanos > 0 && now - countedFrom >= wholeNanos) {
            return Expired.WHOLE;
        }
        Duration most = idle(usual);
        return !most.isZero() && now - progressAt > most.toNanos() ? Expired.IDLE : Expired.NOTHING;
    }
}
