package io.parley.proxy.exchange;

import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.LiveEndpoint;
import io.parley.proxy.http.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where one request was tried, and how often. */
final class Tries {
    /** How long to wait where all endpoints have been tried. */
    static final Duration RECONNECT = Duration.ofMillis(50);

    private static final int MAX_CONNECTS = 3;

    private final List<LiveEndpoint> tried = new ArrayList<>(0);
    private int connects;
    private int versions;
    private int retries;
    private boolean retrying;

    void begin() {
        if (!tried.isEmpty()) {
            tried.clear();
        }
        connects = 0;
        versions = 0;
        retries = 0;
    }

    /** Endpoints that are not to be tried again as long as there are others. */
    List<LiveEndpoint> endpoints() {
        return tried;
    }

    /** Counts an attempt that provably reached nobody; false if that was one too many. */
    boolean mayConnectAgain() {
        return connects++ < MAX_CONNECTS;
    }

    /** Counts an attempt in the other version that an endpoint may speak; false if that was one too many. */
    boolean mayAskInAnother() {
        return versions++ < MAX_CONNECTS;
    }

    /** An endpoint could not be reached. Tells whether there is another; if not, all may be tried once more. */
    boolean unreachable(@Nullable LiveEndpoint endpoint, Cluster cluster) {
        if (endpoint != null) {
            tried.add(endpoint);
        }
        boolean others = tried.size() < cluster.endpoints().size();
        if (!others) {
            tried.clear();
        }
        return others;
    }

    boolean areConnectsSpent() {
        return ++connects >= MAX_CONNECTS;
    }

    /** Whether the policy and its budget allow one more. */
    boolean mayRetry(RetryPolicy policy, LiveRoute route, Cluster cluster) {
        return retries < policy.retries()
                && (retrying || route.budget().enter(cluster.requests(), policy.budgetPercent()));
    }

    /** Counts a retry, elsewhere if possible, and tells which one it is. */
    int retry(@Nullable LiveEndpoint failed, Cluster cluster) {
        retrying = true;
        if (failed != null && tried.size() + 1 < cluster.endpoints().size()) {
            tried.add(failed);
        } else {
            tried.clear();
        }
        return ++retries;
    }

    /** Gives back what was taken from the budget. */
    void end(LiveRoute route) {
        if (retrying) {
            retrying = false;
            route.budget().leave();
        }
    }
}
