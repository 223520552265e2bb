package io.parley.resource.policy.timeout;

import static io.parley.resource.policy.TargetKind.MESH_GATEWAY;
import static io.parley.resource.policy.TargetKind.MESH_HTTP_ROUTE;
import static io.parley.resource.policy.TargetRefs.DESTINATIONS_AND_ROUTES;
import static io.parley.resource.policy.TargetRefs.PROXIES_AND_ROUTES;
import static io.parley.resource.policy.TargetRefs.WHOLE_MESH;

import io.parley.resource.policy.Sections;
import io.parley.resource.policy.TargetRef;
import io.parley.resource.policy.TargetRefs;
import io.parley.resource.policy.TrafficPolicy;
import io.parley.resource.read.Fields;
import io.parley.resource.read.SpecReader;

/** Reads the spec of a MeshTimeout. */
public final class MeshTimeout {
    public static final SpecReader<TrafficPolicy<Timeouts>> READER = SpecReader.of(MeshTimeout::read);

    private MeshTimeout() {}

    private static TrafficPolicy<Timeouts> read(Fields spec) {
        TargetRef top = TargetRefs.top(spec, PROXIES_AND_ROUTES);
        Sections.needSomeOf(spec, "to", "from", "rules");
        boolean outgoingOnly = top.kind() == MESH_GATEWAY || top.kind() == MESH_HTTP_ROUTE;
        if (outgoingOnly && !Sections.isEmpty(spec, "from")) {
            spec.fail("from", "not allowed here (a " + top.kind() + " has outgoing traffic only)");
        }
        return new TrafficPolicy<>(
                top,
                Sections.items(
                        spec,
                        "to",
                        outgoingOnly ? WHOLE_MESH : DESTINATIONS_AND_ROUTES,
                        (conf, item) -> Timeouts.read(conf, top, item)),
                Sections.items(spec, "from", WHOLE_MESH, (conf, item) -> Timeouts.read(conf, top, item)),
                Sections.rules(spec, conf -> Timeouts.read(conf, top, top)));
    }
}
