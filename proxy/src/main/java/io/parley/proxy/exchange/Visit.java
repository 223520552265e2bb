package io.parley.proxy.exchange;

import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.LiveEndpoint;
import io.parley.proxy.telemetry.Phases;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint that a request is at. It is measured by when its answer begins, judged by what the answer says, and counted as busy until
 * the answer's end: downloads and streams are load for as long as they last.
 */
final class Visit {
    private final Phases phases;
    private @Nullable Cluster cluster;
    private @Nullable LiveEndpoint endpoint;
    private long since;
    private long readyAt;
    private long answeredAt;
    private boolean timed;
    private boolean judged;

    Visit(Phases phases) {
        this.phases = phases;
    }

    /** Begins at an endpoint; false if its cluster has as many requests as it may have. */
    boolean begin(Cluster to, LiveEndpoint chosen, long now) {
        if (!to.enter(chosen)) {
            return false;
        }
        cluster = to;
        endpoint = chosen;
        since = now;
        readyAt = now;
        timed = false;
        judged = false;
        return true;
    }

    /** Null before and after. */
    @Nullable
    LiveEndpoint endpoint() {
        return endpoint;
    }

    /** The client has not sent all of its request yet: what that takes is no fault of the endpoint. */
    void postpone(long now) {
        since = now;
    }

    /** Whether it has lasted longer than this without an answer; null is for ever. */
    boolean isLongerThan(@Nullable Duration time, long now) {
        return time != null && endpoint != null && !timed && now - since > time.toNanos();
    }

    /** There is a connection, which had to be waited for. */
    void waited(long now) {
        readyAt = now;
        phases.waiting().took(now - since);
    }

    /** The answer has begun. */
    void answered(long now) {
        if (cluster != null && endpoint != null && !timed) {
            timed = true;
            answeredAt = now;
            cluster.answered(endpoint, now - since);
            phases.answering().took(now - readyAt);
        }
    }

    /** What is to be thought of the endpoint, as a status of HTTP; 0 for no answer. */
    void judge(int status) {
        if (cluster != null && endpoint != null && !judged) {
            judged = true;
            cluster.judge(endpoint, status);
        }
    }

    /** It is over, and this is what is thought of the endpoint if nothing was before. */
    void end(int status, long now) {
        if (timed && endpoint != null) {
            phases.ending().took(now - answeredAt);
        } else if (cluster != null && endpoint != null) {
            cluster.answered(endpoint, now - since);
        }
        judge(status);
        abandon();
    }

    /** It is over, and the endpoint is not to blame. */
    void abandon() {
        if (cluster != null && endpoint != null) {
            cluster.leave(endpoint);
            endpoint = null;
        }
    }
}
