package io.parley.proxy.http;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Trouble on purpose.
 *
 * @param fields which requests; all of these must be fulfilled
 */
public record Fault(
        List<FieldMatch> fields,
        @Nullable Delay delay,
        @Nullable Abort abort,
        @Nullable Bandwidth bandwidth) {
    public Fault {
        fields = List.copyOf(fields);
    }

    /** Some requests wait before they are forwarded. */
    public record Delay(Duration time, int perMillion) {}

    /**
     * Some requests are answered with a failure.
     *
     * @param grpcStatus what a client of gRPC is told; null for what follows from the status
     */
    public record Abort(int status, @Nullable Integer grpcStatus, int perMillion) {}

    /** The content of some answers comes slowly. */
    public record Bandwidth(long bytesPerSecond, int perMillion) {}
}
