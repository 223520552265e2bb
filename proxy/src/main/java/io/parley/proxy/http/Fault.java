package io.parley.proxy.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Trouble on purpose.
 *
 * @param fields which requests; all of these must be fulfilled
 * @param bytesPerSecond how fast an answer's body may be; 0 for no limit
 */
public record Fault(
        java.util.List<FieldMatch> fields,
        @Nullable Delay delay,
        @Nullable Abort abort,
        long bytesPerSecond) {
    public Fault {
        fields = java.util.List.copyOf(fields);
    }

    /** Some requests wait before they are forwarded. */
    public record Delay(Duration time, int perMillion) {}

    /**
     * Some requests are answered with a failure.
     *
     * @param grpcStatus null for an HTTP failure
     */
    public record Abort(int status, @Nullable Integer grpcStatus, int perMillion) {}
}
