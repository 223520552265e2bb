package io.parley.proxy.http2;

/** Tells for how long something that waits to leave has not moved. The clock is read by whoever looks, which is often enough. */
final class Standstill {
    private static final int NOTHING_SEEN = -1;

    private int leftThen = NOTHING_SEEN;
    private long since;

    /**
     * Looks.
     *
     * @param waiting how many wait
     * @param left how many have left, ever: as many that wait as before may be others
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
