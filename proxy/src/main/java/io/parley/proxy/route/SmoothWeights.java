package io.parley.proxy.route;

import java.util.List;

/**
 * Takes turns in proportion to weights, evenly spread: with 5, 1, 1 the order is a a b a c a a, never five in a row (smooth weighted
 * round robin, after nginx). Shared by all event loops.
 */
public final class SmoothWeights {
    private final int[] weights;
    private final long[] credit;
    private final long total;
    private final int only;

    public SmoothWeights(List<Integer> weights) {
        this.weights = weights.stream().mapToInt(Integer::intValue).toArray();
        this.credit = new long[this.weights.length];
        long sum = 0;
        int lastWithWeight = -1;
        int withWeight = 0;
        for (int i = 0; i < this.weights.length; i++) {
            sum += this.weights[i];
            if (this.weights[i] > 0) {
                lastWithWeight = i;
                withWeight++;
            }
        }
        this.total = sum;
        this.only = withWeight == 1 ? lastWithWeight : -1;
    }

    /** Whose turn it is; -1 if nobody has a weight. */
    public int next() {
        if (only >= 0 || total == 0) {
            return only;
        }
        return turn();
    }

    private synchronized int turn() {
        int best = -1;
        for (int i = 0; i < weights.length; i++) {
            credit[i] += weights[i];
            if (weights[i] > 0 && (best < 0 || credit[i] > credit[best])) {
                best = i;
            }
        }
        credit[best] -= total;
        return best;
    }
}
