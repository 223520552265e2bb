package io.parley.resource.policy.trafficpermission;

import static io.parley.resource.policy.TargetRefs.CALLERS;

import io.parley.resource.policy.Sections;
import io.parley.resource.policy.TargetKind;
import io.parley.resource.policy.TargetRefs;
import io.parley.resource.policy.TrafficPolicy;
import io.parley.resource.read.Fields;
import io.parley.resource.read.SpecReader;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Reads the spec of a MeshTrafficPermission. */
public final class MeshTrafficPermission {
    public static final SpecReader<TrafficPolicy<Permission>> READER = SpecReader.of(MeshTrafficPermission::read);

    /** Nobody inside the mesh calls a gateway. */
    private static final Set<TargetKind> CALLED = EnumSet.copyOf(TargetRefs.PROXIES);

    static {
        CALLED.remove(TargetKind.MESH_GATEWAY);
    }

    private MeshTrafficPermission() {}

    private static TrafficPolicy<Permission> read(Fields spec) {
        Sections.needSomeOf(spec, "from", "rules");
        return new TrafficPolicy<>(
                TargetRefs.top(spec, CALLED),
                List.of(),
                Sections.items(spec, "from", CALLERS, (conf, _) -> Permission.Overall.read(conf)),
                Sections.rules(spec, Permission.ByCaller::read));
    }
}
