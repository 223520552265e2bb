package io.parley.resource.policy.faultinjection;

import static io.parley.resource.policy.TargetRefs.CALLERS;
import static io.parley.resource.policy.TargetRefs.PROXIES;
import static io.parley.resource.policy.TargetRefs.WHOLE_MESH;

import io.parley.resource.policy.Sections;
import io.parley.resource.policy.TargetRef;
import io.parley.resource.policy.TargetRefs;
import io.parley.resource.policy.TrafficPolicy;
import io.parley.resource.read.Fields;
import io.parley.resource.read.SpecReader;

/** Reads the spec of a MeshFaultInjection. */
public final class MeshFaultInjection {
    public static final SpecReader<TrafficPolicy<Faults>> READER = SpecReader.of(MeshFaultInjection::read);

    private MeshFaultInjection() {}

    private static TrafficPolicy<Faults> read(Fields spec) {
        TargetRef top = TargetRefs.top(spec, PROXIES);
        Sections.needSomeOf(spec, "to", "from", "rules");
        Sections.onlyForGateways(spec, top, "to");
        Sections.onlyForSidecars(spec, top, "from");
        return new TrafficPolicy<>(
                top,
                Sections.items(spec, "to", WHOLE_MESH, (conf, _) -> Faults.read(conf)),
                Sections.items(spec, "from", CALLERS, (conf, _) -> Faults.read(conf)),
                Sections.rules(spec, Faults::read));
    }
}
