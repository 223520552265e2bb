package io.parley.proxy.telemetry;

import java.util.function.Function;

/**
 * The numbers about logs and traces on their way to one place.
 *
 * @param dropped those that were lost, by cause
 */
public record Outflow(Count sent, Function<String, Count> dropped) {
    public Count dropped(String cause) {
        return dropped.apply(cause);
    }
}
