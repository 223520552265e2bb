package io.parley.resource.policy.ratelimit;

import static io.parley.resource.policy.TargetRefs.PROXIES_AND_ROUTES;
import static io.parley.resource.policy.TargetRefs.WHOLE_MESH;

import io.parley.resource.policy.Sections;
import io.parley.resource.policy.TargetRef;
import io.parley.resource.policy.TargetRefs;
import io.parley.resource.policy.TrafficPolicy;
import io.parley.resource.read.Fields;
import io.parley.resource.read.SpecReader;

/** Reads the spec of a MeshRateLimit. */
public final class MeshRateLimit {
    public static final SpecReader<TrafficPolicy<RateLimits>> READER = SpecReader.of(MeshRateLimit::read);

    private MeshRateLimit() {}

    private static TrafficPolicy<RateLimits> read(Fields spec) {
        TargetRef top = TargetRefs.top(spec, PROXIES_AND_ROUTES);
        Sections.needSomeOf(spec, "to", "from", "rules");
        Sections.onlyForGateways(spec, top, "to");
        Sections.onlyForSidecars(spec, top, "from");
        if (!Sections.isEmpty(spec, "to") && !Sections.isEmpty(spec, "rules")) {
            spec.fail("rules", "not allowed here (to is for gateways, which have no callers in the mesh)");
        }
        return new TrafficPolicy<>(
                top,
                Sections.items(spec, "to", WHOLE_MESH, (conf, _) -> RateLimits.read(conf)),
                Sections.items(spec, "from", WHOLE_MESH, (conf, _) -> RateLimits.read(conf)),
                Sections.rules(spec, RateLimits::read));
    }
}
