package io.parley.resource.kind;

import io.parley.resource.policy.accesslog.MeshAccessLog;
import io.parley.resource.policy.circuitbreaker.MeshCircuitBreaker;
import io.parley.resource.policy.faultinjection.MeshFaultInjection;
import io.parley.resource.policy.healthcheck.MeshHealthCheck;
import io.parley.resource.policy.httproute.MeshHttpRoute;
import io.parley.resource.policy.proxypatch.MeshProxyPatch;
import io.parley.resource.policy.ratelimit.MeshRateLimit;
import io.parley.resource.policy.retry.MeshRetry;
import io.parley.resource.policy.timeout.MeshTimeout;
import io.parley.resource.policy.trace.MeshTrace;
import io.parley.resource.policy.trafficpermission.MeshTrafficPermission;
import io.parley.resource.read.SpecReader;
import java.util.List;

/** The policies that pick their targets with {@code targetRef}. Zones may have their own. */
final class PolicyKinds {
    static final List<Kind> ALL = List.of(
            policy("MeshAccessLog", "mal", "Where requests and connections are logged", MeshAccessLog.READER)
                    .build(),
            policy(
                            "MeshCircuitBreaker",
                            "mcb",
                            "Limits on connections, and which endpoints are taken out of use",
                            MeshCircuitBreaker.READER)
                    .build(),
            policy("MeshFaultInjection", "mfi", "Errors, delays and slowness on purpose", MeshFaultInjection.READER)
                    .build(),
            policy("MeshHealthCheck", "mhc", "How endpoints are probed", MeshHealthCheck.READER)
                    .build(),
            // The design document spells it MeshHttpRoute, the wire MeshHTTPRoute.
            policy("MeshHTTPRoute", "mhttpr", "Which requests go where, and how they are changed", MeshHttpRoute.READER)
                    .words("MeshHttpRoute")
                    .build(),
            policy("MeshProxyPatch", "mpp", "Changes to the generated proxy configuration", MeshProxyPatch.READER)
                    .plural("meshproxypatches")
                    .build(),
            policy("MeshRateLimit", "mrl", "How many requests and connections are taken", MeshRateLimit.READER)
                    .build(),
            policy("MeshRetry", "mr", "When and how often a failed request is tried again", MeshRetry.READER)
                    .plural("meshretries")
                    .build(),
            policy("MeshTimeout", "mt", "How long connections and requests may take", MeshTimeout.READER)
                    .build(),
            policy("MeshTrace", "mtr", "Which requests are traced, and where traces go", MeshTrace.READER)
                    .build(),
            policy("MeshTrafficPermission", "mtp", "Who may call whom", MeshTrafficPermission.READER)
                    .build());

    private PolicyKinds() {}

    private static Kind.Builder policy(String name, String shortForm, String description, SpecReader<?> reader) {
        return Kind.named(name)
                .words(shortForm)
                .description(description)
                .sync(Sync.BOTH)
                .author(Author.ANYWHERE)
                .reader(reader);
    }
}
