package io.parley.resource.policy.accesslog;

import static io.parley.resource.policy.TargetRefs.DESTINATIONS_AND_ROUTES;
import static io.parley.resource.policy.TargetRefs.PROXIES;
import static io.parley.resource.policy.TargetRefs.WHOLE_MESH;

import io.parley.resource.policy.Sections;
import io.parley.resource.policy.TargetRefs;
import io.parley.resource.policy.TrafficPolicy;
import io.parley.resource.read.Fields;
import io.parley.resource.read.SpecReader;

/** Reads the spec of a MeshAccessLog. */
public final class MeshAccessLog {
    public static final SpecReader<TrafficPolicy<AccessLog>> READER = SpecReader.of(MeshAccessLog::read);

    private MeshAccessLog() {}

    private static TrafficPolicy<AccessLog> read(Fields spec) {
        Sections.needSomeOf(spec, "to", "from", "rules");
        return new TrafficPolicy<>(
                TargetRefs.top(spec, PROXIES),
                Sections.items(spec, "to", DESTINATIONS_AND_ROUTES, (conf, _) -> AccessLog.read(conf)),
                Sections.items(spec, "from", WHOLE_MESH, (conf, _) -> AccessLog.read(conf)),
                Sections.rules(spec, AccessLog::read));
    }
}
