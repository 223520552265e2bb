package io.parley.proxy.telemetry;

import java.util.List;

/**
 * How long one part of many requests took, on one event loop. Only that loop writes, so a number costs an addition; whoever reads from
 * elsewhere may miss the latest.
 */
public final class Phase {
    /** One for each power of two of microseconds. */
    private static final int BUCKETS = 40;

    private final long[] buckets = new long[BUCKETS];
    private long nanos;
    private long longest;

    public void took(long time) {
        long positive = Math.max(0, time);
        nanos += positive;
        longest = Math.max(longest, positive);
        buckets[Math.min(BUCKETS - 1, Long.SIZE - Long.numberOfLeadingZeros(positive / 1_000))]++;
    }

    /** The sum of some, as it is now. */
    public static Summary of(List<Phase> phases) {
        long[] all = new long[BUCKETS];
        long count = 0;
        long nanos = 0;
        long longest = 0;
        for (Phase phase : phases) {
            nanos += phase.nanos;
            longest = Math.max(longest, phase.longest);
            for (int i = 0; i < BUCKETS; i++) {
                all[i] += phase.buckets[i];
                count += phase.buckets[i];
            }
        }
        return new Summary(
                count, nanos / 1_000, percentile(all, count, 50), percentile(all, count, 99), longest / 1_000);
    }

    private static long percentile(long[] buckets, long count, int percent) {
        long before = 0;
        for (int i = 0; i < BUCKETS; i++) {
            before += buckets[i];
            if (before > 0 && before * 100 >= count * percent) {
                return 1L << i;
            }
        }
        return 0;
    }

    /**
     * What was seen, in microseconds.
     *
     * @param half as long at most as this, rounded up to a power of two, took half of them
     * @param most the same of 99 in 100
     */
    public record Summary(long count, long sum, long half, long most, long longest) {
        public long mean() {
            return count == 0 ? 0 : sum / count;
        }
    }
}
