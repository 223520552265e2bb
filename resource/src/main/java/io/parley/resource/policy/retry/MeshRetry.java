package io.parley.resource.policy.retry;

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
import java.util.List;

/** Reads the spec of a MeshRetry. */
public final class MeshRetry {
    public static final SpecReader<TrafficPolicy<Retries>> READER = SpecReader.of(MeshRetry::read);

    private MeshRetry() {}

    private static TrafficPolicy<Retries> read(Fields spec) {
        TargetRef top = TargetRefs.top(spec, PROXIES_AND_ROUTES);
        Sections.needSomeOf(spec, "to");
        // What a route or a gateway sends is told apart by the top-level target already.
        boolean all = top.kind() == MESH_GATEWAY || top.kind() == MESH_HTTP_ROUTE;
        return new TrafficPolicy<>(
                top,
                Sections.items(spec, "to", all ? WHOLE_MESH : DESTINATIONS_AND_ROUTES, (conf, _) -> Retries.read(conf)),
                List.of(),
                List.of());
    }
}
