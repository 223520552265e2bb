package io.parley.proxy.http2;

/** The streams of a connection that ended last, and how. */
final class ClosedStreams {
    /** How a stream ended. */
    enum End {
        USUAL,
        RESET_BY_US,

        /** It never was, or it is long ago. */
        UNKNOWN
    }

    private static final int REMEMBERED = 128;

    /** Apart, so that usual ends, of which there are many, do not push out those that a peer may not have heard of yet. */
    private final int[] resets = new int[REMEMBERED];

    private final int[] usual = new int[REMEMBERED];
    private int nextReset;
    private int nextUsual;

    void add(int stream, boolean resetByUs) {
        if (resetByUs) {
            resets[nextReset] = stream;
            nextReset = (nextReset + 1) % REMEMBERED;
        } else {
            usual[nextUsual] = stream;
            nextUsual = (nextUsual + 1) % REMEMBERED;
        }
    }

    End endOf(int stream) {
        if (has(resets, stream)) {
            return End.RESET_BY_US;
        }
        return has(usual, stream) ? End.USUAL : End.UNKNOWN;
    }

    private static boolean has(int[] streams, int stream) {
        for (int known : streams) {
            if (known == stream) {
                return true;
            }
        }
        return false;
    }
}
