package io.parley.resource.policy.retry;

import static io.parley.resource.read.DurationRange.ABOVE_ZERO;

import io.parley.resource.read.Fields;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How the time between two tries grows. */
public record BackOff(
        @Nullable Duration baseInterval, @Nullable Duration maxInterval) {
    static BackOff read(Fields fields) {
        fields.needAnyOf("baseInterval", "maxInterval");
        BackOff backOff = new BackOff(
                fields.at("baseInterval").duration(ABOVE_ZERO),
                fields.at("maxInterval").duration(ABOVE_ZERO));
        if (backOff.baseInterval != null
                && backOff.maxInterval != null
                && backOff.maxInterval.compareTo(backOff.baseInterval) < 0) {
            fields.fail("maxInterval", "less than baseInterval (expected: at least as much)");
        }
        return backOff;
    }
}
