package io.parley.resource.policy.httproute;

import static io.parley.resource.policy.TargetKind.MESH_EXTERNAL_SERVICE;
import static io.parley.resource.policy.TargetKind.MESH_GATEWAY;
import static io.parley.resource.policy.TargetKind.MESH_MULTI_ZONE_SERVICE;
import static io.parley.resource.policy.TargetKind.MESH_SERVICE;
import static io.parley.resource.policy.TargetRefs.PROXIES;
import static io.parley.resource.policy.TargetRefs.WHOLE_MESH;

import io.parley.resource.policy.TargetKind;
import io.parley.resource.policy.TargetRef;
import io.parley.resource.policy.TargetRefs;
import io.parley.resource.policy.TrafficPolicy;
import io.parley.resource.read.Fields;
import io.parley.resource.read.SpecReader;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Reads the spec of a MeshHTTPRoute. */
public final class MeshHttpRoute {
    public static final SpecReader<TrafficPolicy<Routes>> READER = SpecReader.of(MeshHttpRoute::read);

    /** A gateway forwards what comes to it, whatever it was for; a sidecar forwards what is for a service. */
    private static final Set<TargetKind> SERVICES =
            EnumSet.of(MESH_SERVICE, MESH_EXTERNAL_SERVICE, MESH_MULTI_ZONE_SERVICE);

    private MeshHttpRoute() {}

    private static TrafficPolicy<Routes> read(Fields spec) {
        TargetRef top = TargetRefs.top(spec, PROXIES);
        Set<TargetKind> kinds = top.kind() == MESH_GATEWAY ? WHOLE_MESH : SERVICES;
        return new TrafficPolicy<>(
                top,
                spec.at("to")
                        .objects(item -> new TrafficPolicy.Item<>(TargetRefs.of(item, kinds), Routes.read(item, top))),
                List.of(),
                List.of());
    }
}
