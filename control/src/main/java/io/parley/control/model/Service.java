package io.parley.control.model;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is called by one name.
 *
 * @param endpoints by id
 * @param external how something outside the mesh is reached; null for a service of the mesh
 */
public record Service(
        String mesh,
        String name,
        Tree<String, Endpoint> endpoints,
        @Nullable ExternalService external) {
    static Service of(String mesh, String name) {
        return new Service(mesh, name, Tree.empty(), null);
    }

    Service with(Endpoint endpoint) {
        return new Service(mesh, name, endpoints.with(endpoint.id(), endpoint), external);
    }

    Service without(String id) {
        return new Service(mesh, name, endpoints.without(id), external);
    }

    Service withExternal(@Nullable ExternalService found) {
        return new Service(mesh, name, endpoints, found);
    }

    boolean isEmpty() {
        return endpoints.isEmpty() && external == null;
    }

    /** Whether proxies of the mesh stand before some of its endpoints. */
    boolean hasMeshed() {
        return endpoints.values().stream().anyMatch(endpoint -> endpoint.identity() != null);
    }

    /** Whether some of its endpoints have no proxy. */
    boolean hasPlain() {
        return endpoints.values().stream().anyMatch(endpoint -> endpoint.identity() == null);
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
