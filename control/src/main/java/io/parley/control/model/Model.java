package io.parley.control.model;

import io.parley.agreement.reason.Decision;
import io.parley.resource.KindId;
import io.parley.resource.ResourceKey;
import io.parley.resource.mesh.Inbound;
import io.parley.resource.mesh.ZoneEgressSpec;
import io.parley.resource.mesh.ZoneIngressSpec;
import io.parley.store.Event;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that configurations are made from, at one revision of the store.
 *
 * @param localZone the zone that this control plane serves; null if there are none
 * @param refusals stored resources that cannot be used
 * @param notApplied old policies that are kept and act on nothing, each with the kind that does its work today
 */
public record Model(
        @Nullable String localZone,
        Tree<String, MeshModel> meshes,
        Tree<String, ZoneIngressSpec> zoneIngresses,
        Tree<String, ZoneEgressSpec> zoneEgresses,
        Cluster cluster,
        Tree<ResourceKey, Refusal> refusals,
        Tree<ResourceKey, KindId> notApplied) {
    /**
     * The next model, and what the step touched.
     *
     * @param all whether everything may have changed
     */
    public record Update(Model model, Set<Subject> touched, boolean all) {
        public Update {
            touched = Set.copyOf(touched);
        }
    }

    public static Model empty(@Nullable String localZone) {
        return new Model(
                localZone, Tree.empty(), Tree.empty(), Tree.empty(), Cluster.EMPTY, Tree.empty(), Tree.empty());
    }

    public Update after(List<Event> events) {
        ModelEditor editor = new ModelEditor(this);
        for (Event event : events) {
            switch (event) {
                case Event.Written(var stored) -> editor.written(stored.resource());
                case Event.Deleted(ResourceKey key, var _) -> editor.deleted(key);
            }
        }
        return editor.finish();
    }

    public Optional<MeshModel> mesh(String name) {
        return meshes.find(name);
    }

    /** What a port of a workload takes, and on whose word. */
    public Decision<Protocol> protocol(Dataplane dataplane, Inbound inbound) {
        return DataplaneEndpoints.protocol(dataplane, inbound, cluster);
    }

    /** By which traffic of a mesh leaves this zone, where the mesh says that it should and there is one. */
    public Optional<ZoneEgressSpec> wayOut(MeshModel mesh) {
        return mesh.spec().routing().zoneEgress() ? localEgress() : Optional.empty();
    }

    /** The egress of this zone, if there is one. */
    public Optional<ZoneEgressSpec> localEgress() {
        return zoneEgresses.values().stream()
                .filter(egress -> egress.address() != null)
                .filter(egress -> localZone == null || egress.zone() == null || localZone.equals(egress.zone()))
                .findFirst();
    }
}
