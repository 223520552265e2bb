package io.parley.resource.kind;

import java.util.List;

/** The policies that pick their targets with {@code targetRef}. Zones may have their own. */
final class PolicyKinds {
    static final List<Kind> ALL = List.of(
            policy("MeshAccessLog", "mal", "Where requests and connections are logged")
                    .build(),
            policy("MeshCircuitBreaker", "mcb", "Limits on connections, and which endpoints are taken out of use")
                    .build(),
            policy("MeshFaultInjection", "mfi", "Errors, delays and slowness on purpose")
                    .build(),
            policy("MeshHealthCheck", "mhc", "How endpoints are probed").build(),
            // The design document spells it MeshHttpRoute, the wire MeshHTTPRoute.
            policy("MeshHTTPRoute", "mhttpr", "Which requests go where, and how they are changed")
                    .words("MeshHttpRoute")
                    .build(),
            policy("MeshProxyPatch", "mpp", "Changes to the generated proxy configuration")
                    .plural("meshproxypatches")
                    .build(),
            policy("MeshRateLimit", "mrl", "How many requests and connections are taken")
                    .build(),
            policy("MeshRetry", "mr", "When and how often a failed request is tried again")
                    .plural("meshretries")
                    .build(),
            policy("MeshTimeout", "mt", "How long connections and requests may take")
                    .build(),
            policy("MeshTrace", "mtr", "Which requests are traced, and where traces go")
                    .build(),
            policy("MeshTrafficPermission", "mtp", "Who may call whom").build());

    private PolicyKinds() {}

    private static Kind.Builder policy(String name, String shortForm, String description) {
        return Kind.named(name)
                .words(shortForm)
                .description(description)
                .sync(Sync.BOTH)
                .author(Author.ANYWHERE);
    }
}
