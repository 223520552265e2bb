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

    private final int[] streams = new int[REMEMBERED];
    private int next;

    void add(int stream, boolean resetByUs) {
        streams[next] = resetByUs ? -stream : stream;
        next = (next + 1) % REMEMBERED;
    }

    End endOf(int stream) {
        for (int known : streams) {
            if (known == stream) {
                return End.USUAL;
            }
            if (known == -stream) {
                return End.RESET_BY_US;
            }
        }
        return End.UNKNOWN;
    }
}
