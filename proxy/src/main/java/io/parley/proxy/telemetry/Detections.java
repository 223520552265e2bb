package io.parley.proxy.telemetry;

import io.parley.proxy.Direction;
import java.util.List;

/** The numbers about what connections carry and how that was decided; those of Linkerd, and ours that tell the rule. */
final class Detections {
    private final PerDirection<Family<Count>> found;
    private final PerDirection<Family<Histogram>> foundTime;
    private final Family<Count> decided;
    private final Family<Histogram> decidedTime;

    Detections(Registry registry) {
        found = PerDirection.of(direction -> registry.counter(
                direction + "_tcp_detect_http_results_total",
                "What connections whose protocol nobody declared turned out to be.",
                List.of("result")));
        foundTime = PerDirection.of(direction -> registry.histogram(
                direction + "_tcp_detect_http_duration_seconds",
                "Time from accept to the decision about a protocol that nobody declared.",
                List.of("result")));
        decided = registry.counter(
                "tcp_protocol_connections_total",
                "Connections by protocol and by the rule that decided it.",
                List.of("direction", "protocol", "rule"));
        decidedTime = registry.histogram(
                "tcp_detect_duration_seconds",
                "Time from accept to the decision about the protocol.",
                List.of("direction"));
    }

    void decided(Direction direction, String protocol, String rule, long nanos) {
        decided.with(direction.toString(), protocol, rule).increment();
        decidedTime.with(direction.toString()).observe(nanos);
    }

    void detected(Direction direction, String result, long nanos) {
        found.of(direction).with(result).increment();
        foundTime.of(direction).with(result).observe(nanos);
    }
}
