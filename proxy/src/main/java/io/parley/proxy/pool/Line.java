package io.parley.proxy.pool;

import io.parley.proxy.balance.Cluster;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Those who wait for a connection, in the order in which they came. A cluster has a limit for how many there are at all its endpoints. */
final class Line {
    private record Place(Waiter waiter, long since) {}

    private final Cluster cluster;
    private final WaitingTimes times;
    private final ArrayDeque<Place> waiting = new ArrayDeque<>();

    Line(Cluster cluster, WaitingTimes times) {
        this.cluster = cluster;
        this.times = times;
    }

    int length() {
        return waiting.size();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Lets one more wait; false if there are too many. */
    boolean add(Waiter waiter) {
        if (!cluster.mayWait()) {
            return false;
        }
        waiting.addLast(new Place(waiter, times.ticker().getAsLong()));
        return true;
    }

    /** Whose turn it is; null if nobody waits. */
    @Nullable
    Waiter next() {
        Place first = waiting.pollFirst();
        return first == null ? null : left(first);
    }

    void remove(Waiter waiter) {
        for (Place place : waiting) {
            if (place.waiter.equals(waiter)) {
                waiting.remove(place);
                left(place);
                return;
            }
        }
    }

    /** All of them, who wait no more. */
    List<Waiter> leave() {
        List<Waiter> all = waiting.stream().map(this::left).toList();
        waiting.clear();
        return all;
    }

    private Waiter left(Place place) {
        cluster.waited();
        times.waited().accept(cluster.name(), times.ticker().getAsLong() - place.since);
        return place.waiter;
    }
}
