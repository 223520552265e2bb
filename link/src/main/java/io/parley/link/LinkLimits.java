package io.parley.link;

import java.time.Duration;

/**
 * What one end of a link bears with. Whoever exceeds a limit of bytes loses the connection; whoever exceeds a limit of calls loses
 * the call.
 *
 * @param maxFrameBytes the largest message, in both directions
 * @param maxRunningCalls calls of the peer that may be unanswered at a time
 * @param maxPendingCalls calls of our own that may be unanswered at a time
 * @param maxQueuedBytes what may wait for a peer that does not read
 * @param handshake how long each step of opening may take: TCP, TLS, upgrade, negotiation
 * @param silence how long a peer may send nothing at all before it counts as gone
 */
public record LinkLimits(
        int maxFrameBytes,
        int maxRunningCalls,
        int maxPendingCalls,
        long maxQueuedBytes,
        Duration handshake,
        Duration silence) {
    public static final LinkLimits DEFAULT =
            new LinkLimits(4 << 20, 1_000, 10_000, 16 << 20, Duration.ofSeconds(10), Duration.ofSeconds(90));

    public LinkLimits {
        if (maxFrameBytes < 1_024 || maxQueuedBytes < maxFrameBytes) {
            throw new IllegalArgumentException("maxFrameBytes: " + maxFrameBytes + ", maxQueuedBytes: " + maxQueuedBytes
                    + " (expected: at least 1024, and a queue that holds a frame)");
        }
    }
}
