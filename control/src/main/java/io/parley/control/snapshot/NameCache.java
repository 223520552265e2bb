package io.parley.control.snapshot;

import io.parley.control.model.Endpoint;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Service;
import io.parley.control.model.Tree;
import io.parley.control.model.VirtualNames;
import io.parley.control.model.VirtualOutbound;
import io.parley.control.model.VirtualOutbound.HostName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The host names of meshes, made once for all proxies of a mesh, and again only for services that have changed: most changes are of
 * endpoints, and none of those that a service is called by. Confined to one thread.
 */
final class NameCache {
    /** What a service is called, as long as it has these endpoints. */
    private record Called(Tree<String, Endpoint> endpoints, List<HostName> names) {}

    private record Made(
            Tree<String, Service> services,
            Tree<String, VirtualOutbound> virtualOutbounds,
            Map<String, Called> called,
            VirtualNames names) {
        boolean isFor(MeshModel mesh) {
            return services == mesh.services() && virtualOutbounds == mesh.virtualOutbounds();
        }

        boolean isCalledSo(Map<String, Called> now) {
            return called.size() == now.size()
                    && now.entrySet().stream().allMatch(one -> {
                        Called before = called.get(one.getKey());
                        return before != null
                                && before.names().equals(one.getValue().names());
                    });
        }
    }

    private final Map<String, Made> made = new HashMap<>();

    VirtualNames of(MeshModel mesh) {
        Made last = made.get(mesh.name());
        if (last != null && last.isFor(mesh)) {
            return last.names();
        }
        Made before = last == null || last.virtualOutbounds() != mesh.virtualOutbounds() ? null : last;
        Map<String, Called> called = called(mesh, before == null ? Map.of() : before.called());
        VirtualNames names = before != null && before.isCalledSo(called) ? before.names() : names(mesh, called);
        made.put(mesh.name(), new Made(mesh.services(), mesh.virtualOutbounds(), called, names));
        return names;
    }

    private static Map<String, Called> called(MeshModel mesh, Map<String, Called> before) {
        Map<String, Called> called = new HashMap<>();
        if (mesh.virtualOutbounds().isEmpty()) {
            return called;
        }
        mesh.services().forEach((name, service) -> {
            Called known = before.get(name);
            called.put(
                    name,
                    known != null && known.endpoints() == service.endpoints()
                            ? known
                            : new Called(service.endpoints(), List.copyOf(mesh.hostNames(service))));
        });
        return called;
    }

    private static VirtualNames names(MeshModel mesh, Map<String, Called> called) {
        return mesh.virtualNames(service -> {
            Called known = called.get(service.name());
            return known == null ? List.of() : known.names();
        });
    }
}
