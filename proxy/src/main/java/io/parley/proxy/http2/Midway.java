package io.parley.proxy.http2;

/** Tells for how long a peer has been at the same frame or head. The clock is read by whoever looks, which is often enough. */
final class Midway {
    private static final int NOTHING_SEEN = -1;

    private int wholeThen = NOTHING_SEEN;
    private long since;

    /**
     * Looks.
     *
     * @param begun whether something has begun that has not ended
     * @param whole how much has come whole, ever: what is there now may not be what was there before
     * @return for how long it has been the same, in nanoseconds; 0 if there is nothing, and at the first look
     */
    long look(long now, boolean begun, int whole) {
        if (!begun || whole != wholeThen) {
            wholeThen = whole;
            since = now;
        }
        return now - since;
    }
}
