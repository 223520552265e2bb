package io.parley.xds.server;

import io.parley.xds.server.session.SessionLimits;
import java.time.Duration;

/**
 * Bounds of a server.
 *
 * @param streams open at once
 * @param opensPerSecond streams admitted per second, on average
 * @param openBurst streams admitted at once after a quiet time
 * @param requestBytes largest request; a delta client lists all that it has when it reconnects, which can exceed 4 MiB
 * @param nodeBytes largest node, of which id, metadata and more are kept as long as the stream is
 * @param sendTimeout a client that takes nothing, or opens a stream and says nothing, for this long is cut off
 */
public record ServerLimits(
        int streams,
        int opensPerSecond,
        int openBurst,
        int requestBytes,
        int nodeBytes,
        Duration sendTimeout,
        SessionLimits session) {
    public static final ServerLimits DEFAULT = new ServerLimits(
            50_000, 1_000, 5_000, 32 * 1024 * 1024, 512 * 1024, Duration.ofSeconds(60), SessionLimits.DEFAULT);

    public ServerLimits {
        requirePositive(streams, "streams");
        requirePositive(opensPerSecond, "opensPerSecond");
        requirePositive(openBurst, "openBurst");
        requirePositive(requestBytes, "requestBytes");
        requirePositive(nodeBytes, "nodeBytes");
    }

    public ServerLimits withStreams(int most) {
        return new ServerLimits(most, opensPerSecond, openBurst, requestBytes, nodeBytes, sendTimeout, session);
    }

    public ServerLimits withOpens(int perSecond, int burst) {
        return new ServerLimits(streams, perSecond, burst, requestBytes, nodeBytes, sendTimeout, session);
    }

    private static void requirePositive(int value, String name) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: > 0)");
        }
    }
}
