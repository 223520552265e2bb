package io.parley.agreement.reason;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;

/**
 * What was decided, why, and on whose word. Stages hand decisions on whole, so that the reason is never lost on the way to the
 * person who asks.
 *
 * @param value what was decided
 * @param because one sentence without a final stop, for people
 * @param source what the decision rests on, for programs
 */
public record Decision<T>(T value, String because, Source source) {
    public Decision {
        requireNonNull(value, "value");
        requireNonNull(source, "source");
        if (because.isBlank()) {
            throw new IllegalArgumentException("because: blank (expected: the reason for " + value + ")");
        }
    }

    /** The same decision seen as another value: the reason stays. */
    public <R> Decision<R> map(Function<? super T, ? extends R> change) {
        return new Decision<>(change.apply(value), because, source);
    }

    @Override
    public String toString() {
        return value + " because " + because + " (" + source + ")";
    }
}
