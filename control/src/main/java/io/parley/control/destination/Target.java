package io.parley.control.destination;

import io.parley.control.model.ClusterService;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.model.Service;
import java.util.Optional;

/** What a proxy asks for: {@code host:port}, by name or by address. */
record Target(String mesh, String host, int port) {
    private static final int USUAL_PORT = 80;

    static Target parse(String mesh, String path) {
        String host = path.replaceFirst(":[0-9]{1,5}$", "");
        int port = host.equals(path) ? USUAL_PORT : Integer.parseInt(path.substring(host.length() + 1));
        String bare = host.replaceAll("^\\[|]$", "");
        if (bare.isEmpty() || port < 1 || port > 65535) {
            throw new IllegalArgumentException("path: " + path + " (expected: host:port)");
        }
        return new Target(mesh, bare, port);
    }

    boolean isAddress() {
        return host.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}") || host.indexOf(':') >= 0;
    }

    /** A Service of Kubernetes and the port of it that is meant, if it has that. */
    record Found(ClusterService service, Optional<ClusterService.Port> port) {}

    /** The Service of Kubernetes of this name or address. */
    Optional<Found> clusterService(Model model) {
        String[] labels = host.split("\\.", -1);
        Optional<ClusterService> service = isAddress()
                ? model.cluster().serviceAt(host)
                : labels.length >= 2 && (labels.length == 2 || labels[2].equals("svc"))
                        ? model.cluster().service(labels[1], labels[0])
                        : Optional.empty();
        return service.map(found -> new Found(
                found,
                found.ports().stream().filter(each -> each.number() == port).findFirst()));
    }

    /** The name under which the mesh knows it. */
    Optional<String> serviceName(Model model) {
        Optional<Found> found = clusterService(model);
        if (found.isPresent()) {
            return found.get().port().map(each -> found.get().service().serviceName(each));
        }
        MeshModel inMesh = model.mesh(mesh).orElse(null);
        if (inMesh == null || isAddress()) {
            return Optional.empty();
        }
        return inMesh.services().contains(host)
                ? Optional.of(host)
                : inMesh.services().values().stream()
                        .filter(service -> inMesh.hostNames(service).stream()
                                .anyMatch(name -> name.host().equals(host) && name.port() == port))
                        .map(Service::name)
                        .findFirst();
    }

    Optional<MeshModel> mesh(Model model) {
        return clusterService(model)
                .map(found -> found.service().mesh())
                .map(model::mesh)
                .orElseGet(() -> model.mesh(mesh));
    }

    /** The service behind it; an existing one without endpoints has none. */
    Optional<Service> service(Model model) {
        return mesh(model).flatMap(each -> serviceName(model).flatMap(each.services()::find));
    }

    boolean exists(Model model) {
        return serviceName(model).isPresent();
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
