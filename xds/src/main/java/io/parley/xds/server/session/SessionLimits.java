package io.parley.xds.server.session;

import java.time.Duration;

/**
 * Bounds of one stream.
 *
 * @param names names subscribed to on one stream, of all types together
 * @param types types on one stream
 * @param responseBytes above this an answer is split where the protocol allows it, else sent and reported
 * @param rejectionPause how long a type is left alone after its client rejected one answer after another; after the first much less
 * @param patience how long an answer without ACK or NACK holds others back
 */
public record SessionLimits(int names, int types, int responseBytes, Duration rejectionPause, Duration patience) {
    /** gRPC clients refuse messages above 4 MiB unless told otherwise, so answers stay a little below. */
    public static final SessionLimits DEFAULT =
            new SessionLimits(100_000, 64, 4 * 1024 * 1024 - 64 * 1024, Duration.ofSeconds(5), Duration.ofSeconds(10));

    public SessionLimits {
        requirePositive(names, "names");
        requirePositive(types, "types");
        requirePositive(responseBytes, "responseBytes");
    }

    private static void requirePositive(int value, String name) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: > 0)");
        }
    }
}
