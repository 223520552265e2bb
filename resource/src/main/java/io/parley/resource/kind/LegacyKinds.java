package io.parley.resource.kind;

import io.parley.resource.read.SpecReader;
import java.util.List;

/** The policies of before {@code targetRef}: kept and synchronised as they are. */
final class LegacyKinds {
    static final List<Kind> ALL = List.of(
            legacy(
                            "CircuitBreaker",
                            "circuit-breakers",
                            "Which endpoints are taken out of use",
                            "sources",
                            "destinations",
                            "conf")
                    .replacedBy("MeshCircuitBreaker")
                    .build(),
            legacy(
                            "FaultInjection",
                            "fault-injections",
                            "Errors and delays on purpose",
                            "sources",
                            "destinations",
                            "conf")
                    .replacedBy("MeshFaultInjection")
                    .build(),
            legacy("HealthCheck", "health-checks", "How endpoints are probed", "sources", "destinations", "conf")
                    .replacedBy("MeshHealthCheck")
                    .build(),
            legacy(
                            "ProxyTemplate",
                            "proxytemplates",
                            "Changes to the generated proxy configuration",
                            "selectors",
                            "conf")
                    .replacedBy("MeshProxyPatch")
                    .build(),
            legacy("RateLimit", "rate-limits", "How many requests are taken", "sources", "destinations", "conf")
                    .replacedBy("MeshRateLimit")
                    .build(),
            legacy("Retry", "retries", "When a failed request is tried again", "sources", "destinations", "conf")
                    .replacedBy("MeshRetry")
                    .build(),
            legacy(
                            "Timeout",
                            "timeouts",
                            "How long connections and requests may take",
                            "sources",
                            "destinations",
                            "conf")
                    .replacedBy("MeshTimeout")
                    .build(),
            legacy("TrafficLog", "traffic-logs", "Where traffic is logged", "sources", "destinations", "conf")
                    .replacedBy("MeshAccessLog")
                    .build(),
            legacy("TrafficPermission", "traffic-permissions", "Who may call whom", "sources", "destinations")
                    .replacedBy("MeshTrafficPermission")
                    .build(),
            legacy("TrafficRoute", "traffic-routes", "Which traffic goes where", "sources", "destinations", "conf")
                    .replacedBy("MeshHTTPRoute")
                    .build(),
            legacy("TrafficTrace", "traffic-traces", "Which requests are traced", "selectors", "conf")
                    .replacedBy("MeshTrace")
                    .build(),
            legacy("VirtualOutbound", "virtual-outbounds", "Host names and ports made from tags", "selectors", "conf")
                    .build());

    private LegacyKinds() {}

    private static Kind.Builder legacy(String name, String plural, String description, String... fields) {
        return Kind.named(name)
                .plural(plural)
                .description(description)
                .shape(Shape.INLINE)
                .sync(Sync.GLOBAL_TO_ZONE)
                .reader(SpecReader.ofNames(fields));
    }
}
