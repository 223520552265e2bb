package io.parley.proxy.telemetry;

import java.util.List;

/** The numbers about datagrams. */
final class UdpTelemetry {
    private final Family<Count> open;
    private final Family<Count> datagrams;
    private final Family<Count> dropped;

    UdpTelemetry(Registry registry) {
        open = registry.gauge("udp_open_sessions", "Clients of a listener for datagrams.", List.of("listener"));
        datagrams = registry.counter(
                "udp_datagrams_total",
                "Datagrams received from clients and sent to them.",
                List.of("listener", "direction"));
        dropped = registry.counter(
                "udp_dropped_total", "Datagrams that went nowhere, by cause.", List.of("listener", "cause"));
        registry.dropIdle(open);
        registry.dropIdle(datagrams);
        registry.dropIdle(dropped);
    }

    UdpSeries of(String listener) {
        return new UdpSeries(
                open.with(listener),
                datagrams.with(listener, "received"),
                datagrams.with(listener, "sent"),
                cause -> dropped.with(listener, cause));
    }
}
