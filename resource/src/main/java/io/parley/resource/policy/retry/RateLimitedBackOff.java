package io.parley.resource.policy.retry;

import io.parley.resource.policy.Headers;
import io.parley.resource.read.Choices;
import io.parley.resource.read.DurationRange;
import io.parley.resource.read.Fields;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Waits as long as the server asks for in a header. */
public record RateLimitedBackOff(
        List<ResetHeader> resetHeaders, @Nullable Duration maxInterval) {
    /** How a header tells the time to wait for. */
    public enum Format {
        SECONDS,
        UNIX_TIMESTAMP
    }

    /** A header that tells it. */
    public record ResetHeader(String name, Format format) {}

    private static final Choices<Format> FORMATS = Choices.camelCase(Format.class);

    static RateLimitedBackOff read(Fields fields) {
        return new RateLimitedBackOff(
                fields.at("resetHeaders")
                        .requireObjects(header -> new ResetHeader(
                                Headers.name(header.at("name")),
                                header.at("format").requireChoice(FORMATS))),
                fields.at("maxInterval").duration(DurationRange.ABOVE_ZERO));
    }
}
