package io.parley.resource.policy.ratelimit;

import io.parley.resource.policy.HeaderModifier;
import io.parley.resource.read.DurationRange;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a MeshRateLimit sets. Each proxy counts for itself. */
public record RateLimits(@Nullable Http http, @Nullable Tcp tcp) {
    /** For requests. */
    public record Http(
            @Nullable Boolean disabled,
            @Nullable Rate requestRate,
            @Nullable Refusal onRateLimit) {}

    /** For connections. */
    public record Tcp(@Nullable Boolean disabled, @Nullable Rate connectionRate) {}

    /** So many in such a time. */
    public record Rate(int num, Duration interval) {}

    /** How what is too much is answered. */
    public record Refusal(
            @Nullable Integer status, @Nullable HeaderModifier headers) {}

    // A proxy fills its bucket no more often than this.
    private static final DurationRange INTERVAL = new DurationRange(Duration.ofMillis(50), "above 50ms");

    static RateLimits read(Fields fields) {
        return fields.at("local").requireObject(local -> {
            local.needAnyOf("http", "tcp");
            return new RateLimits(
                    local.at("http").object(RateLimits::http), local.at("tcp").object(RateLimits::tcp));
        });
    }

    private static Http http(Fields fields) {
        fields.needAnyOf("disabled", "requestRate", "onRateLimit");
        return new Http(
                fields.at("disabled").flag(),
                fields.at("requestRate").object(RateLimits::rate),
                fields.at("onRateLimit")
                        .object(refusal -> new Refusal(
                                refusal.at("status").integer(IntRange.HTTP_STATUS),
                                refusal.at("headers").object(HeaderModifier::readWithoutRemoval))));
    }

    private static Tcp tcp(Fields fields) {
        fields.needAnyOf("disabled", "connectionRate");
        return new Tcp(fields.at("disabled").flag(), fields.at("connectionRate").object(RateLimits::rate));
    }

    private static Rate rate(Fields fields) {
        return new Rate(
                fields.at("num").requireInteger(IntRange.ABOVE_ZERO),
                fields.at("interval").requireDuration(INTERVAL));
    }
}
