package io.parley.store;

/**
 * How much history a store keeps for watchers. The state itself is kept for ever.
 *
 * @param maxEvents so many events
 * @param maxBytes so much text, roughly
 */
public record Retention(long maxEvents, long maxBytes) {
    public static final Retention DEFAULT = new Retention(100_000, 128L << 20);

    public Retention {
        if (maxEvents < 1 || maxBytes < 1) {
            throw new IllegalArgumentException(
                    "retention: " + maxEvents + " events, " + maxBytes + " bytes (expected: both >= 1)");
        }
    }
}
