package io.parley.proxy.http2;

/**
 * Tells for how long something has not moved that waits to leave, or of which the rest is waited for. The clock is read by whoever looks, which is often
 * enough.
 */
final class Standstill {
    private static final int NOTHING_SEEN = -1;

    private int leftThen = NOTHING_SEEN;
    private long since;

    /**
     * Looks.
     *
     * @param waiting how many wait
     * @param left how many have left, or have come as a whole, ever: as many that wait as before may be others
     * @return for how long nothing has moved, in nanoseconds; 0 if nothing waits, and at the first look
     */
    long look(long now, int waiting, int left) {
        if (waiting == 0 || left != leftThen) {
            leftThen = left;
            since = now;
        }
        return now - since;
    }
}
