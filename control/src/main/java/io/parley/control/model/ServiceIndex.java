package io.parley.control.model;

import io.parley.agreement.reason.Decision;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The services of a mesh while it is edited; knows at the end which of them changed, and how. */
final class ServiceIndex {
    private record Name(String mesh, String service) {}

    private final Map<Name, @Nullable Service> before = new HashMap<>();

    MeshModel add(MeshModel mesh, String service, Endpoint endpoint) {
        return put(mesh, find(mesh, service).with(endpoint));
    }

    MeshModel remove(MeshModel mesh, String service, String id) {
        return put(mesh, find(mesh, service).without(id));
    }

    /** Looks again at what there is outside the mesh by this name: several may share it. */
    MeshModel externals(MeshModel mesh, String service) {
        return put(
                mesh,
                find(mesh, service)
                        .withExternals(mesh.externalServices().values().stream()
                                .filter(external -> external.service().equals(service))
                                .toList()));
    }

    private static Service find(MeshModel mesh, String service) {
        return mesh.services().find(service).orElseGet(() -> Service.of(mesh.name(), service));
    }

    private MeshModel put(MeshModel mesh, Service service) {
        Name name = new Name(mesh.name(), service.name());
        if (!before.containsKey(name)) {
            before.put(name, mesh.services().get(service.name()));
        }
        Tree<String, Service> services = service.isEmpty()
                ? mesh.services().without(service.name())
                : mesh.services().with(service.name(), service);
        return services == mesh.services() ? mesh : mesh.withServices(services);
    }

    Set<Subject> touched(Tree<String, MeshModel> meshes) {
        Set<Subject> touched = new HashSet<>();
        before.forEach((name, old) -> {
            MeshModel mesh = meshes.find(name.mesh()).orElseGet(() -> MeshModel.of(name.mesh()));
            Service now = mesh.services().get(name.service());
            if (!shape(old).equals(shape(now))) {
                touched.add(new Subject.ServiceShape(name.mesh(), name.service()));
            }
            if (!names(mesh, old).equals(names(mesh, now))) {
                touched.add(new Subject.HostNames(name.mesh()));
            }
            if (!sameEndpoints(old, now)) {
                touched.add(new Subject.ServiceEndpoints(name.mesh(), name.service()));
            }
        });
        return touched;
    }

    /** All of a service that configurations hold, endpoints aside. */
    private record Shape(
            boolean exists,
            Protocol protocol,
            String rule,
            List<ExternalService> externals,
            boolean meshed,
            boolean plain) {}

    private static Shape shape(@Nullable Service service) {
        if (service == null) {
            return new Shape(false, Protocol.DETECT, "", List.of(), false, false);
        }
        Decision<Protocol> protocol = service.protocol();
        return new Shape(
                true,
                protocol.value(),
                protocol.source().rule(),
                service.externals(),
                service.hasMeshed(),
                service.hasPlain());
    }

    private static Set<VirtualOutbound.HostName> names(MeshModel mesh, @Nullable Service service) {
        return service == null ? Set.of() : Set.copyOf(mesh.hostNames(service));
    }

    private static boolean sameEndpoints(@Nullable Service old, @Nullable Service now) {
        if (old == null || now == null) {
            return old == null && now == null;
        }
        return old.endpoints() == now.endpoints()
                || old.endpoints().values().equals(now.endpoints().values());
    }
}
