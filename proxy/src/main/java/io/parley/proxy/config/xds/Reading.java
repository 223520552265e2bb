package io.parley.proxy.config.xds;

import com.google.protobuf.Message;
import io.parley.resource.Result;
import io.parley.resource.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Gathers all that is wrong with one resource, so that its author learns of everything at once. */
final class Reading {
    private final List<Violation> violations = new ArrayList<>();

    private Reading() {}

    /** Reads a resource with {@code reader}, which is not asked if the resource has parts that are not understood. */
    static <M extends Message, T> Result<T> of(M resource, BiFunction<M, Reading, T> reader) {
        List<Violation> foreign = Subset.violations(resource);
        if (!foreign.isEmpty()) {
            return new Result.Rejected<>(foreign);
        }
        Reading reading = new Reading();
        T value = reader.apply(resource, reading);
        return reading.violations.isEmpty() ? new Result.Accepted<>(value) : new Result.Rejected<>(reading.violations);
    }

    void fail(String path, String message) {
        violations.add(new Violation(path, message));
    }
}
