package io.parley.control.explain;

import io.parley.control.model.ClusterService;
import io.parley.control.model.Dataplane;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.model.Names;
import io.parley.control.model.VirtualNames;
import io.parley.resource.mesh.Outbound;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the service that people mean by what they, or their programs, write. */
final class Targets {
    private Targets() {}

    static Target find(Model model, MeshModel mesh, Dataplane caller, String to) {
        String host = to.replaceFirst(":[0-9]{1,5}$", "");
        Optional<Integer> port =
                to.equals(host) ? Optional.empty() : Optional.of(Integer.parseInt(to.substring(host.length() + 1)));
        return service(mesh, to, host, port)
                .or(() -> outbound(caller, host, port))
                .or(() -> hostName(mesh, caller, host, port))
                .or(() -> clusterService(model, mesh, host, port))
                .orElseThrow(() -> new UnknownName("to: " + to + " (expected: a service of mesh " + mesh.name()
                        + ", one of its host names, or an address that " + caller.displayName() + " dials)"));
    }

    private static Optional<Target> service(MeshModel mesh, String to, String host, Optional<Integer> port) {
        return Stream.of(to, host)
                .flatMap(name -> mesh.services().find(name).stream())
                .filter(service -> service.name().equals(to)
                        || service.endpoints().values().stream()
                                .anyMatch(endpoint -> port.filter(number -> number == endpoint.port())
                                        .isPresent())
                        || service.name().equals(host))
                .findFirst()
                .map(service -> new Target(
                        service.name(), Step.plain("to", "service " + service.name(), "the service of that name")));
    }

    private static Optional<Target> outbound(Dataplane caller, String host, Optional<Integer> port) {
        for (int index = 0; index < caller.spec().outbound().size(); index++) {
            Outbound outbound = caller.spec().outbound().get(index);
            String address = outbound.address() == null ? "127.0.0.1" : outbound.address();
            boolean local = host.equals("localhost") && address.equals("127.0.0.1");
            String service = service(outbound);
            if (service != null
                    && (address.equals(host) || local)
                    && port.filter(number -> number == outbound.port()).isPresent()) {
                return Optional.of(new Target(
                        service,
                        new Step(
                                "to",
                                "service " + service,
                                "the proxy listens there for it",
                                "Dataplane/" + caller.displayName(),
                                "networking.outbound[" + index + "]",
                                "declared outbound")));
            }
        }
        return Optional.empty();
    }

    private static @org.jspecify.annotations.Nullable String service(Outbound outbound) {
        String tag = outbound.tags().get(Names.SERVICE);
        return tag == null && outbound.backendRef() != null
                ? outbound.backendRef().name()
                : tag;
    }

    private static Optional<Target> hostName(MeshModel mesh, Dataplane caller, String host, Optional<Integer> port) {
        return mesh.virtualNames().find(host, port).map(name -> {
            String service = name.called().service();
            String subset = name.subset().isEmpty() ? "" : ", instances with " + name.subset();
            return new Target(
                    service,
                    new Step(
                            "to",
                            "service " + service + subset,
                            name.called() + " is made from its tags; " + where(caller, name),
                            "VirtualOutbound/" + name.called().from(),
                            "conf.host",
                            "host names from tags"));
        });
    }

    private static String where(Dataplane caller, VirtualNames.Name name) {
        int port = name.called().port();
        return switch (caller.nameServing()) {
            case INTERCEPTED -> "connections to " + name.address() + ":" + port + " are intercepted for it";
            case LOOPBACK -> "the proxy listens for it at " + name.loopback() + ":" + port;
            case NOWHERE ->
                "the proxy of " + caller.displayName() + " does not listen for it (expected: transparentProxying with a"
                        + " redirectPortOutbound, or the annotation " + Names.VIRTUAL_OUTBOUNDS + ": loopback)";
        };
    }

    private static Optional<Target> clusterService(Model model, MeshModel mesh, String host, Optional<Integer> port) {
        for (ClusterService service : model.cluster().allServices()) {
            String qualified = service.name() + "." + service.namespace();
            boolean named = host.equals(service.name())
                    || host.equals(qualified)
                    || host.startsWith(qualified + ".svc")
                    || service.addresses().contains(host);
            if (named && service.mesh().equals(mesh.name())) {
                for (ClusterService.Port each : service.ports()) {
                    if (port.map(number -> number == each.number()).orElse(true)) {
                        String name = service.serviceName(each);
                        return Optional.of(new Target(
                                name,
                                new Step(
                                        "to",
                                        "service " + name,
                                        "port " + each.number() + " of the Kubernetes Service " + qualified,
                                        "service/" + service.namespace() + "/" + service.name(),
                                        "spec.ports",
                                        "Kubernetes Services are services of the mesh")));
                    }
                }
            }
        }
        return Optional.empty();
    }
}
