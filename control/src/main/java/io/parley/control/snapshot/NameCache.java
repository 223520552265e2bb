package io.parley.control.snapshot;

import io.parley.control.model.MeshModel;
import io.parley.control.model.Service;
import io.parley.control.model.Tree;
import io.parley.control.model.VirtualNames;
import io.parley.control.model.VirtualOutbound;
import java.util.HashMap;
import java.util.Map;

/** The host names of meshes, made once for all proxies of a mesh. Confined to one thread. */
final class NameCache {
    private record Made(
            Tree<String, Service> services, Tree<String, VirtualOutbound> virtualOutbounds, VirtualNames names) {
        boolean isFor(MeshModel mesh) {
            return services == mesh.services() && virtualOutbounds == mesh.virtualOutbounds();
        }
    }

    private final Map<String, Made> made = new HashMap<>();

    VirtualNames of(MeshModel mesh) {
        Made last = made.get(mesh.name());
        if (last != null && last.isFor(mesh)) {
            return last.names();
        }
        VirtualNames names = mesh.virtualNames();
        made.put(mesh.name(), new Made(mesh.services(), mesh.virtualOutbounds(), names));
        return names;
    }
}
