package io.parley.resource.policy.healthcheck;

import static io.parley.resource.policy.TargetRefs.DESTINATIONS;
import static io.parley.resource.policy.TargetRefs.PROXIES;

import io.parley.resource.policy.Sections;
import io.parley.resource.policy.TargetRefs;
import io.parley.resource.policy.TrafficPolicy;
import io.parley.resource.read.Fields;
import io.parley.resource.read.SpecReader;
import java.util.List;

/** Reads the spec of a MeshHealthCheck. */
public final class MeshHealthCheck {
    public static final SpecReader<TrafficPolicy<HealthCheck>> READER = SpecReader.of(MeshHealthCheck::read);

    private MeshHealthCheck() {}

    private static TrafficPolicy<HealthCheck> read(Fields spec) {
        return new TrafficPolicy<>(
                TargetRefs.top(spec, PROXIES),
                Sections.items(spec, "to", DESTINATIONS, (conf, _) -> HealthCheck.read(conf)),
                List.of(),
                List.of());
    }
}
