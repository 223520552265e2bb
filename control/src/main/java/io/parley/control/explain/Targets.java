package io.parley.control.explain;

import io.parley.control.model.ClusterService;
import io.parley.control.model.Dataplane;
import io.parley.control.model.Endpoint;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.model.Names;
import io.parley.control.model.Service;
import io.parley.control.model.VirtualNames;
import io.parley.resource.mesh.Outbound;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Finds the service that people mean by what they, or their programs, write. */
final class Targets {
    private Targets() {}

    static Target find(Model model, MeshModel mesh, Dataplane caller, String to) {
        String host = to.replaceFirst(":[0-9]{1,5}$", "");
        Optional<Integer> port =
                to.equals(host) ? Optional.empty() : Optional.of(Integer.parseInt(to.substring(host.length() + 1)));
        return service(mesh, caller, to, port)
                .or(() -> outbound(caller, host, port))
                .or(() -> hostName(mesh, caller, host, port))
                .or(() -> clusterService(model, mesh, host, port))
                .orElseThrow(() -> new UnknownName("to: " + to + " (expected: " + expected(mesh, caller, host) + ")"));
    }

    private static String expected(MeshModel mesh, Dataplane caller, String host) {
        String service = "a service of mesh " + mesh.name() + ", one of its host names, or an address that "
                + caller.displayName() + " dials";
        return mesh.services()
                .find(host)
                .map(found -> host + ", which has " + ports(found))
                .orElse(service);
    }

    private static String ports(Service service) {
        Set<Integer> ports = new TreeSet<>();
        service.endpoints().values().forEach(endpoint -> ports.add(endpoint.port()));
        return (ports.size() == 1 ? "port " : "ports ")
                + ports.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private static Optional<Target> service(MeshModel mesh, Dataplane caller, String to, Optional<Integer> port) {
        String host = port.isEmpty() ? to : to.substring(0, to.lastIndexOf(':'));
        return mesh.services()
                .find(to)
                .or(() -> mesh.services()
                        .find(host)
                        .filter(service -> port.stream()
                                .allMatch(number -> offers(service, number) || dials(caller, service, number))))
                .map(service -> new Target(
                        service.name(), Step.plain("to", "service " + service.name(), "the service of that name")));
    }

    private static boolean dials(Dataplane caller, Service service, int port) {
        return caller.spec().outbound().stream()
                .anyMatch(outbound -> outbound.port() == port && service.name().equals(service(outbound)));
    }

    /** Whether anything of a service may be there. Not every ingress is told which port is behind it. */
    private static boolean offers(Service service, int port) {
        List<Endpoint> all = service.endpoints().values();
        return all.isEmpty()
                || all.stream()
                        .anyMatch(endpoint -> endpoint.port() == port
                                || (endpoint.kind() == Endpoint.Kind.OTHER_ZONE && endpoint.meshPort() == null));
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
                                "Dataplane/" + caller.name(),
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
