package io.parley.resource.gateway;

import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is tried again.
 *
 * @param codes answers after which it is
 * @param attempts how often beyond the first; null for the usual
 * @param backoff at least how long to wait between tries; null for the usual
 */
public record Retry(
        List<Integer> codes,
        @Nullable Integer attempts,
        @Nullable Duration backoff) {
    public Retry {
        codes = List.copyOf(codes);
    }

    static Retry read(Fields fields) {
        return new Retry(
                fields.at("codes").list(code -> code.requireInteger(new IntRange(400, 599))),
                fields.at("attempts").integer(IntRange.NOT_NEGATIVE),
                FilterReader.duration(fields.at("backoff")));
    }
}
