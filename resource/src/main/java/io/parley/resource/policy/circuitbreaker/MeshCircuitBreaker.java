package io.parley.resource.policy.circuitbreaker;

import static io.parley.resource.policy.TargetRefs.DESTINATIONS;
import static io.parley.resource.policy.TargetRefs.PROXIES;
import static io.parley.resource.policy.TargetRefs.WHOLE_MESH;

import io.parley.resource.policy.Sections;
import io.parley.resource.policy.TargetRefs;
import io.parley.resource.policy.TrafficPolicy;
import io.parley.resource.read.Fields;
import io.parley.resource.read.SpecReader;

/** Reads the spec of a MeshCircuitBreaker. */
public final class MeshCircuitBreaker {
    public static final SpecReader<TrafficPolicy<Breaker>> READER = SpecReader.of(MeshCircuitBreaker::read);

    private MeshCircuitBreaker() {}

    private static TrafficPolicy<Breaker> read(Fields spec) {
        Sections.needSomeOf(spec, "to", "from", "rules");
        return new TrafficPolicy<>(
                TargetRefs.top(spec, PROXIES),
                Sections.items(spec, "to", DESTINATIONS, (conf, _) -> Breaker.read(conf)),
                Sections.items(spec, "from", WHOLE_MESH, (conf, _) -> Breaker.read(conf)),
                Sections.rules(spec, Breaker::read));
    }
}
