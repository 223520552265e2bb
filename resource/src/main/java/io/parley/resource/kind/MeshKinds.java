package io.parley.resource.kind;

import io.parley.resource.mesh.DataplaneSpec;
import io.parley.resource.mesh.MeshSpec;
import io.parley.resource.mesh.ZoneEgressSpec;
import io.parley.resource.mesh.ZoneIngressSpec;
import io.parley.resource.mesh.ZoneSpec;
import io.parley.resource.read.SpecReader;
import java.util.List;

/** What a mesh is made of, and what is seen of it. */
final class MeshKinds {
    static final List<Kind> ALL = List.of(
            proto("Mesh", "A mesh: its certificate authority, defaults and backends")
                    .reader(MeshSpec.READER)
                    .plural("meshes")
                    .words("m")
                    .scope(Scope.GLOBAL)
                    .names(NameRule.MESH)
                    .sync(Sync.GLOBAL_TO_ZONE)
                    .build(),
            proto("Dataplane", "A proxy beside a workload: where it listens and what it offers")
                    .reader(DataplaneSpec.READER)
                    .words("dp")
                    .sync(Sync.ZONE_TO_GLOBAL)
                    .author(Author.ANYWHERE)
                    .build(),
            insight("DataplaneInsight", "What was last seen of a proxy")
                    .plural("dataplane-insights")
                    .sync(Sync.ZONE_TO_GLOBAL)
                    .build(),
            proto("Zone", "A zone control plane that takes part")
                    .reader(ZoneSpec.READER)
                    .words("z")
                    .scope(Scope.GLOBAL)
                    .names(NameRule.ZONE)
                    .build(),
            insight("ZoneInsight", "What was last seen of a zone")
                    .plural("zone-insights")
                    .scope(Scope.GLOBAL)
                    .names(NameRule.ZONE)
                    .build(),
            proto("ZoneIngress", "A proxy through which a zone takes traffic from other zones")
                    .reader(ZoneIngressSpec.READER)
                    .plural("zoneingresses")
                    .words("zi")
                    .scope(Scope.GLOBAL)
                    .sync(Sync.BOTH)
                    .author(Author.ANYWHERE)
                    .build(),
            insight("ZoneIngressInsight", "What was last seen of a zone ingress")
                    .plural("zone-ingress-insights")
                    .scope(Scope.GLOBAL)
                    .sync(Sync.ZONE_TO_GLOBAL)
                    .build(),
            proto("ZoneEgress", "A proxy through which a zone's traffic leaves it")
                    .reader(ZoneEgressSpec.READER)
                    .plural("zoneegresses")
                    .words("ze")
                    .scope(Scope.GLOBAL)
                    .sync(Sync.ZONE_TO_GLOBAL)
                    .author(Author.ANYWHERE)
                    .build(),
            insight("ZoneEgressInsight", "What was last seen of a zone egress")
                    .plural("zone-egress-insights")
                    .scope(Scope.GLOBAL)
                    .sync(Sync.ZONE_TO_GLOBAL)
                    .build(),
            insight("ServiceInsight", "How many proxies of each service are up")
                    .plural("service-insights")
                    .sync(Sync.GLOBAL_TO_ZONE)
                    .build(),
            proto("ExternalService", "A service outside the mesh")
                    .reader(SpecReader.ofNames("networking", "tags"))
                    .plural("external-services")
                    .words("es")
                    .sync(Sync.GLOBAL_TO_ZONE)
                    .build(),
            proto("MeshGateway", "Where a built-in gateway listens")
                    .reader(SpecReader.ofNames("selectors", "tags", "conf"))
                    .words("mg")
                    .replacedBy("gateway.networking.k8s.io/Gateway")
                    .sync(Sync.GLOBAL_TO_ZONE)
                    .build(),
            proto("MeshGatewayRoute", "What a built-in gateway forwards where")
                    .reader(SpecReader.ofNames("selectors", "conf"))
                    .words("mgr")
                    .replacedBy("gateway.networking.k8s.io/HTTPRoute")
                    .sync(Sync.GLOBAL_TO_ZONE)
                    .build(),
            proto("Secret", "A secret of one mesh")
                    .reader(SpecReader.ofNames("data"))
                    .sync(Sync.GLOBAL_TO_ZONE)
                    .build(),
            proto("GlobalSecret", "A secret of the control plane")
                    .reader(SpecReader.ofNames("data"))
                    .plural("global-secrets")
                    .scope(Scope.GLOBAL)
                    .sync(Sync.GLOBAL_TO_ZONE)
                    .build(),
            proto("Config", "A setting that control planes share")
                    .reader(SpecReader.ofNames("config"))
                    .scope(Scope.GLOBAL)
                    .sync(Sync.GLOBAL_TO_ZONE)
                    .build());

    private MeshKinds() {}

    private static Kind.Builder proto(String name, String description) {
        return Kind.named(name).description(description).shape(Shape.INLINE);
    }

    private static Kind.Builder insight(String name, String description) {
        return proto(name, description).author(Author.CONTROL_PLANE);
    }
}
