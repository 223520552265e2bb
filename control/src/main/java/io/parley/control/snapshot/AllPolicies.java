package io.parley.control.snapshot;

import io.parley.control.draft.PolicyEffect;
import io.parley.control.policy.PolicyKind;
import io.parley.control.policy.accesslog.AccessLogEffect;
import io.parley.control.policy.circuitbreaker.CircuitBreakerEffect;
import io.parley.control.policy.faultinjection.FaultInjectionEffect;
import io.parley.control.policy.healthcheck.HealthCheckEffect;
import io.parley.control.policy.httproute.HttpRouteEffect;
import io.parley.control.policy.proxypatch.ProxyPatch;
import io.parley.control.policy.ratelimit.RateLimitEffect;
import io.parley.control.policy.retry.RetryEffect;
import io.parley.control.policy.timeout.TimeoutEffect;
import io.parley.control.policy.trace.TraceEffect;
import io.parley.control.policy.trafficpermission.TrafficPermissionEffect;
import java.util.List;
import java.util.stream.Stream;

/** Every policy, in the order in which they act: routes first, as others set values on them. A new one is added here. */
public final class AllPolicies {
    static final List<PolicyEffect<?>> EFFECTS = List.of(
            new HttpRouteEffect(),
            new TimeoutEffect(),
            new RetryEffect(),
            new CircuitBreakerEffect(),
            new HealthCheckEffect(),
            new TrafficPermissionEffect(),
            new RateLimitEffect(),
            new FaultInjectionEffect(),
            new AccessLogEffect(),
            new TraceEffect());

    private AllPolicies() {}

    /** Their kinds, for those who explain. */
    public static List<PolicyKind<?>> kinds() {
        return Stream.concat(EFFECTS.stream().map(PolicyEffect::kind), Stream.of(ProxyPatch.KIND))
                .<PolicyKind<?>>map(kind -> kind)
                .toList();
    }
}
