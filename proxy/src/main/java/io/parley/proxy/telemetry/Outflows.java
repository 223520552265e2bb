package io.parley.proxy.telemetry;

import java.util.List;

/** The numbers about logs and traces that are told to others. */
final class Outflows {
    private final Family<Count> told;
    private final Family<Count> untold;

    Outflows(Registry registry) {
        told = registry.counter(
                "telemetry_sent_total", "Log entries and spans that reached their place.", List.of("kind", "place"));
        untold = registry.counter(
                "telemetry_dropped_total",
                "Log entries and spans that were lost, by cause.",
                List.of("kind", "place", "cause"));
        registry.dropIdle(told);
        registry.dropIdle(untold);
    }

    Outflow to(String kind, String place) {
        return new Outflow(told.with(kind, place), cause -> untold.with(kind, place, cause));
    }
}
