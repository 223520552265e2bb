package io.parley.proxy.config;

import java.util.List;

/** How the endpoints of a cluster share what comes. */
public sealed interface Balancing {
    /** The less loaded of two that are drawn by lot. */
    record LeastLoaded() implements Balancing {}

    /**
     * In turn.
     *
     * @param weights of the endpoints, in their order; how many turns each has in relation to the others
     */
    record InTurn(List<Integer> weights) implements Balancing {
        public InTurn {
            weights = List.copyOf(weights);
        }
    }
}
