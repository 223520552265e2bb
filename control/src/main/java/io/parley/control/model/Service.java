package io.parley.control.model;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is called by one name.
 *
 * @param endpoints by id
 * @param externals how what is outside the mesh is reached, in the order of names; none for a service of the mesh
 */
public record Service(String mesh, String name, Tree<String, Endpoint> endpoints, List<ExternalService> externals) {
    static Service of(String mesh, String name) {
        return new Service(mesh, name, Tree.empty(), List.of());
    }

    public boolean isExternal() {
        return !externals.isEmpty();
    }

    Service with(Endpoint endpoint) {
        return new Service(mesh, name, endpoints.with(endpoint.id(), endpoint), externals);
    }

    Service without(String id) {
        return new Service(mesh, name, endpoints.without(id), externals);
    }

    Service withExternals(List<ExternalService> found) {
        return new Service(mesh, name, endpoints, found);
    }

    boolean isEmpty() {
        return endpoints.isEmpty() && externals.isEmpty();
    }

    /** Whether proxies of the mesh stand before some of its endpoints. */
    boolean hasMeshed() {
        return endpoints.values().stream().anyMatch(endpoint -> endpoint.identity() != null);
    }

    /** Whether some of its endpoints have no proxy. */
    boolean hasPlain() {
        return endpoints.values().stream().anyMatch(endpoint -> endpoint.identity() == null);
    }

    /** The port that a connection header must name to the proxies of this zone; nothing if they differ, or do not all read headers. */
    public Optional<Integer> headerPort() {
        List<Endpoint> here = endpoints.values().stream()
                .filter(endpoint -> endpoint.kind() == Endpoint.Kind.SIDECAR)
                .toList();
        Set<Integer> ports = here.stream().map(Endpoint::port).collect(Collectors.toSet());
        boolean all = here.stream().allMatch(endpoint -> endpoint.meshPort() != null);
        return all && ports.size() == 1 ? ports.stream().findFirst() : Optional.empty();
    }

    /** Those that carry the tags, in the order of their ids. */
    public List<Endpoint> endpoints(Map<String, String> tags) {
        return endpoints.values().stream()
                .filter(endpoint -> endpoint.carries(tags))
                .toList();
    }

    /**
     * What connections to it carry. It is opaque where any of its endpoints declares itself so, since a client that looked into
     * the bytes would do harm to that one; otherwise it takes what all of them take.
     */
    public Decision<Protocol> protocol() {
        List<Decision<Protocol>> declared =
                endpoints.values().stream().map(Endpoint::protocol).toList();
        if (declared.isEmpty()) {
            return new Decision<>(
                    Protocol.DETECT, "no endpoint of " + name + " is known", Source.ofRule("detect by default"));
        }
        List<Decision<Protocol>> opaque = declared.stream()
                .filter(decision -> decision.value() == Protocol.OPAQUE)
                .toList();
        if (!opaque.isEmpty()) {
            return union(opaque, declared.size());
        }
        Protocol common = Protocol.common(declared.stream().map(Decision::value).toList());
        return declared.stream()
                .filter(decision -> decision.value() == common)
                .findFirst()
                .orElseGet(() -> new Decision<>(
                        common,
                        "the " + declared.size() + " endpoints of " + name + " declare different protocols",
                        Source.ofRule("what all endpoints take")));
    }

    private Decision<Protocol> union(List<Decision<Protocol>> opaque, int all) {
        Decision<Protocol> first = opaque.getFirst();
        String count = all == 1 ? "" : ", union over endpoints: " + opaque.size() + " of " + all;
        return new Decision<>(Protocol.OPAQUE, first.because() + count, first.source());
    }
}
