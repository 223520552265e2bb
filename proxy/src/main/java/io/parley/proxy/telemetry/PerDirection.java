package io.parley.proxy.telemetry;

import io.parley.proxy.Direction;
import java.util.function.Function;

/** One for each direction. */
record PerDirection<T>(T inbound, T outbound) {
    static <T> PerDirection<T> of(Function<Direction, T> maker) {
        return new PerDirection<>(maker.apply(Direction.INBOUND), maker.apply(Direction.OUTBOUND));
    }

    T of(Direction direction) {
        return switch (direction) {
            case INBOUND -> inbound;
            case OUTBOUND -> outbound;
        };
    }
}
