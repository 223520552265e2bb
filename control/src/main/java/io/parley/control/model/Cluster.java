package io.parley.control.model;

import io.parley.agreement.port.PortSet;
import io.parley.agreement.reason.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The part of Kubernetes that the mesh reads, by namespace, then by name.
 *
 * @param byAddress pods by their address
 * @param namespaces the annotations of each
 */
public record Cluster(
        Tree<String, Tree<String, Pod>> pods,
        Tree<String, Pod> byAddress,
        Tree<String, Tree<String, ClusterService>> services,
        Tree<String, Tree<String, Slice>> slices,
        Tree<String, Map<String, String>> namespaces) {
    static final Cluster EMPTY = new Cluster(Tree.empty(), Tree.empty(), Tree.empty(), Tree.empty(), Tree.empty());

    public List<ClusterService> allServices() {
        return services.values().stream()
                .flatMap(each -> each.values().stream())
                .toList();
    }

    public Optional<ClusterService> service(String namespace, String name) {
        return services.find(namespace).flatMap(each -> each.find(name));
    }

    /** The Service that has this address. */
    public Optional<ClusterService> serviceAt(String address) {
        return allServices().stream()
                .filter(service -> service.addresses().contains(address))
                .findFirst();
    }

    /** Whether a port that nobody declared anything about is taken to be opaque. */
    public boolean isUsuallyOpaque(int port) {
        return OpaquePorts.usual(port).isPresent();
    }

    List<ClusterService> selecting(Pod pod) {
        return services.find(pod.namespace()).map(Tree::values).orElse(List.of()).stream()
                .filter(service -> pod.matches(service.selector()) || isMember(service, pod))
                .toList();
    }

    private boolean isMember(ClusterService service, Pod pod) {
        return slicesOf(service)
                .flatMap(slice -> slice.members().stream())
                .anyMatch(member -> pod.name().equals(member.pod()));
    }

    /** The endpoints of one port: what the slices say, or where there are none, the pods that the Service selects. */
    List<Endpoint> endpoints(ClusterService service, ClusterService.Port port) {
        List<Endpoint> endpoints = new ArrayList<>();
        List<Slice> found = slicesOf(service).toList();
        for (Slice slice : found) {
            Integer number = slice.number(port);
            for (Slice.Member member : slice.members()) {
                if (number != null) {
                    endpoints.add(endpoint(service, port, number, member));
                }
            }
        }
        if (found.isEmpty()) {
            pods.find(service.namespace()).map(Tree::values).orElse(List.of()).stream()
                    .filter(pod ->
                            pod.matches(service.selector()) && !pod.address().isEmpty())
                    .forEach(pod -> number(port, pod)
                            .ifPresent(number -> endpoints.add(endpoint(
                                    service, port, number, new Slice.Member(pod.address(), pod.ready(), pod.name())))));
        }
        return endpoints;
    }

    /** What a Service without a single endpoint is declared to take. */
    public Decision<Protocol> declaredProtocol(ClusterService service, ClusterService.Port port) {
        String resource = "service/" + service.namespace() + "/" + service.name();
        return protocol(service, port, OpaquePorts.declared(resource, service.annotations(), Map.of(), port.number()))
                .orElseGet(() -> usual(resource, port.number()));
    }

    private Endpoint endpoint(ClusterService service, ClusterService.Port port, int number, Slice.Member member) {
        Pod pod = pod(service, member);
        String name = service.serviceName(port);
        Integer meshPort = pod == null || !pod.meshed() || pod.skips(number) ? null : pod.meshPort();
        boolean meshed = meshPort != null;
        return new Endpoint(
                (pod == null ? "address/" + member.address() : "pod/" + pod.name()) + ":" + number,
                member.address(),
                number,
                Map.of(Names.SERVICE, name),
                member.ready(),
                null,
                1,
                endpointProtocol(service, port, number, pod),
                meshed ? Endpoint.Kind.SIDECAR : Endpoint.Kind.PLAIN,
                meshed
                        ? Identities.of(service.mesh(), name)
                                .map(Object::toString)
                                .orElse(null)
                        : null,
                meshPort);
    }

    private Decision<Protocol> endpointProtocol(
            ClusterService service, ClusterService.Port port, int number, @Nullable Pod pod) {
        if (pod == null) {
            return declaredProtocol(service, port);
        }
        return protocol(service, port, declared(pod, number))
                .orElseGet(() -> usual("pod/" + pod.name(), number, port.number()));
    }

    /** A pod's own annotation, else its namespace's. */
    private Optional<Decision<Boolean>> declared(Pod pod, int number) {
        Optional<Decision<Boolean>> own =
                OpaquePorts.declared("pod/" + pod.name(), pod.annotations(), pod.named(), number);
        return own.isPresent()
                ? own
                : namespaces
                        .find(pod.namespace())
                        .flatMap(annotations ->
                                OpaquePorts.declared("namespace/" + pod.namespace(), annotations, pod.named(), number));
    }

    /** What a Dataplane at this address is declared to take, where it is a Pod. */
    Optional<Decision<Boolean>> opaqueAt(String address, int number) {
        return byAddress.find(address).flatMap(pod -> declared(pod, number));
    }

    private static Optional<Decision<Protocol>> protocol(
            ClusterService service, ClusterService.Port port, Optional<Decision<Boolean>> opaque) {
        if (opaque.isPresent() && opaque.get().value()) {
            return opaque.map(decision -> decision.map(_ -> Protocol.OPAQUE));
        }
        Optional<Decision<Protocol>> app = service.appProtocol(port);
        return app.isPresent() ? app : opaque.map(decision -> decision.map(_ -> Protocol.DETECT));
    }

    private static Decision<Protocol> usual(String resource, int... ports) {
        return OpaquePorts.usual(ports).orElseGet(() -> OpaquePorts.detected(resource));
    }

    private @Nullable Pod pod(ClusterService service, Slice.Member member) {
        String name = member.pod();
        return name == null
                ? byAddress.get(member.address())
                : pods.find(service.namespace())
                        .flatMap(each -> each.find(name))
                        .orElse(null);
    }

    private Stream<Slice> slicesOf(ClusterService service) {
        return slices.find(service.namespace()).map(Tree::values).orElse(List.of()).stream()
                .filter(slice -> slice.service().equals(service.name()));
    }

    private static Optional<Integer> number(ClusterService.Port port, Pod pod) {
        if (port.target().matches("[0-9]{1,5}")) {
            return Optional.of(Integer.parseInt(port.target()));
        }
        PortSet named = pod.named().get(port.target());
        return named == null || named.isEmpty()
                ? Optional.empty()
                : Optional.of(named.ranges().getFirst().first());
    }

    static <V> Tree<String, Tree<String, V>> with(
            Tree<String, Tree<String, V>> all, String space, String name, @Nullable V value) {
        Tree<String, V> inner = all.find(space).orElse(Tree.empty());
        return all.with(space, value == null ? inner.without(name) : inner.with(name, value));
    }
}
