package io.parley.resource.policy.faultinjection;

import static io.parley.resource.read.DurationRange.NOT_NEGATIVE;

import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a MeshFaultInjection does to HTTP requests. */
public record Faults(List<HttpFault> http) {
    /** What happens to a share of the requests; null for what does not. */
    public record HttpFault(
            @Nullable Abort abort,
            @Nullable Delay delay,
            @Nullable Throttle responseBandwidth) {}

    /** Answered with an error. */
    public record Abort(int httpStatus, BigDecimal percentage) {}

    /** Held back. */
    public record Delay(Duration value, BigDecimal percentage) {}

    /** Answered slowly. */
    public record Throttle(Bandwidth limit, BigDecimal percentage) {}

    public Faults {
        http = List.copyOf(http);
    }

    static Faults read(Fields fields) {
        return new Faults(fields.at("http").objects(Faults::fault));
    }

    private static HttpFault fault(Fields fields) {
        fields.needAnyOf("abort", "delay", "responseBandwidth");
        return new HttpFault(
                fields.at("abort")
                        .object(abort -> new Abort(
                                abort.at("httpStatus").requireInteger(IntRange.HTTP_STATUS),
                                share(abort.at("percentage")))),
                fields.at("delay")
                        .object(delay -> new Delay(
                                delay.at("value").requireDuration(NOT_NEGATIVE), share(delay.at("percentage")))),
                fields.at("responseBandwidth")
                        .object(throttle ->
                                new Throttle(Bandwidth.read(throttle.at("limit")), share(throttle.at("percentage")))));
    }

    private static BigDecimal share(Field field) {
        BigDecimal percentage = field.percentage();
        if (!field.isPresent()) {
            field.fail("missing (expected: the share of requests, such as 50 or \"99.9\")");
        }
        return percentage == null ? BigDecimal.ZERO : percentage;
    }
}
