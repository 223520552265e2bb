package io.parley.proxy.pool;

import io.parley.proxy.balance.Cluster;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Those who wait for a connection, in the order in which they came. A cluster has a limit for how many there are at all its endpoints. */
final class Line {
    private final Cluster cluster;
    private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();

    Line(Cluster cluster) {
        this.cluster = cluster;
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
        waiting.addLast(waiter);
        return true;
    }

    /** Whose turn it is; null if nobody waits. */
    @Nullable
    Waiter next() {
        Waiter first = waiting.pollFirst();
        if (first != null) {
            cluster.waited();
        }
        return first;
    }

    void remove(Waiter waiter) {
        if (waiting.remove(waiter)) {
            cluster.waited();
        }
    }

    /** All of them, who wait no more. */
    List<Waiter> leave() {
        List<Waiter> all = List.copyOf(waiting);
        all.forEach(_ -> cluster.waited());
        waiting.clear();
        return all;
    }
}
