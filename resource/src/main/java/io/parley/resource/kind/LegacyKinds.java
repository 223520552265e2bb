package io.parley.resource.kind;

import java.util.List;

/** The policies of before {@code targetRef}: kept and synchronised as they are. */
final class LegacyKinds {
    static final List<Kind> ALL = List.of(
            legacy("CircuitBreaker", "circuit-breakers", "Which endpoints are taken out of use")
                    .replacedBy("MeshCircuitBreaker")
                    .build(),
            legacy("FaultInjection", "fault-injections", "Errors and delays on purpose")
                    .replacedBy("MeshFaultInjection")
                    .build(),
            legacy("HealthCheck", "health-checks", "How endpoints are probed")
                    .replacedBy("MeshHealthCheck")
                    .build(),
            legacy("ProxyTemplate", "proxytemplates", "Changes to the generated proxy configuration")
                    .replacedBy("MeshProxyPatch")
                    .build(),
            legacy("RateLimit", "rate-limits", "How many requests are taken")
                    .replacedBy("MeshRateLimit")
                    .build(),
            legacy("Retry", "retries", "When a failed request is tried again")
                    .replacedBy("MeshRetry")
                    .build(),
            legacy("Timeout", "timeouts", "How long connections and requests may take")
                    .replacedBy("MeshTimeout")
                    .build(),
            legacy("TrafficLog", "traffic-logs", "Where traffic is logged")
                    .replacedBy("MeshAccessLog")
                    .build(),
            legacy("TrafficPermission", "traffic-permissions", "Who may call whom")
                    .replacedBy("MeshTrafficPermission")
                    .build(),
            legacy("TrafficRoute", "traffic-routes", "Which traffic goes where")
                    .replacedBy("MeshHTTPRoute")
                    .build(),
            legacy("TrafficTrace", "traffic-traces", "Which requests are traced")
                    .replacedBy("MeshTrace")
                    .build(),
            legacy("VirtualOutbound", "virtual-outbounds", "Host names and ports made from tags")
                    .build());

    private LegacyKinds() {}

    private static Kind.Builder legacy(String name, String plural, String description) {
        return Kind.named(name)
                .plural(plural)
                .description(description)
                .shape(Shape.INLINE)
                .sync(Sync.GLOBAL_TO_ZONE);
    }
}
