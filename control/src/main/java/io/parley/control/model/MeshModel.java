package io.parley.control.model;

import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Result;
import io.parley.resource.mesh.MeshSpec;
import io.parley.resource.mesh.Mtls;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * All that is declared in one mesh.
 *
 * @param declared whether there is a Mesh of this name; without one, what holds is what an empty Mesh says
 * @param policies by kind, each list in the order of names
 * @param secrets the names of its secrets; their content is nobody's business here
 */
public record MeshModel(
        String name,
        boolean declared,
        MeshSpec spec,
        Tree<String, Dataplane> dataplanes,
        Tree<String, Service> services,
        Tree<String, ExternalService> externalServices,
        Tree<String, VirtualOutbound> virtualOutbounds,
        Tree<String, Gateway> gateways,
        Tree<KindId, List<Policy>> policies,
        Tree<String, String> secrets) {
    /**
     * A MeshGateway: which proxies are meant by it.
     *
     * @param selectors the tags of one of them must fit
     */
    public record Gateway(String name, List<Map<String, String>> selectors) {}

    static MeshModel of(String name) {
        if (!(MeshSpec.READER.read(Document.EMPTY) instanceof Result.Accepted<MeshSpec>(MeshSpec empty))) {
            throw new IllegalStateException("an empty Mesh is not valid");
        }
        return new MeshModel(
                name,
                false,
                empty,
                Tree.empty(),
                Tree.empty(),
                Tree.empty(),
                Tree.empty(),
                Tree.empty(),
                Tree.empty(),
                Tree.empty());
    }

    public List<Policy> policies(KindId kind) {
        return policies.find(kind).orElse(List.of());
    }

    /** The authority in use, if traffic is encrypted. */
    public Optional<Mtls.Authority> authority() {
        Mtls mtls = spec.mtls();
        return mtls == null || mtls.enabledBackend() == null
                ? Optional.empty()
                : mtls.backends().stream()
                        .filter(backend -> backend.name().equals(mtls.enabledBackend()))
                        .findFirst();
    }

    /** The names that VirtualOutbounds give to a service. */
    public List<VirtualOutbound.HostName> hostNames(Service service) {
        List<VirtualOutbound.HostName> names = new ArrayList<>();
        virtualOutbounds.forEach((_, outbound) -> outbound.namesOf(
                        service.endpoints().values().stream().map(Endpoint::tags))
                .forEach(names::add));
        return names;
    }

    /** All names of all services, with their addresses. */
    public VirtualNames virtualNames() {
        return virtualNames(this::hostNames);
    }

    /** The same, of what somebody knows each service to be called. */
    public VirtualNames virtualNames(Function<Service, List<VirtualOutbound.HostName>> called) {
        return VirtualNames.of(this, called);
    }

    MeshModel withSpec(boolean isDeclared, MeshSpec newSpec) {
        return new MeshModel(
                name,
                isDeclared,
                newSpec,
                dataplanes,
                services,
                externalServices,
                virtualOutbounds,
                gateways,
                policies,
                secrets);
    }

    MeshModel withDataplanes(Tree<String, Dataplane> changed) {
        return new MeshModel(
                name,
                declared,
                spec,
                changed,
                services,
                externalServices,
                virtualOutbounds,
                gateways,
                policies,
                secrets);
    }

    MeshModel withServices(Tree<String, Service> changed) {
        return new MeshModel(
                name,
                declared,
                spec,
                dataplanes,
                changed,
                externalServices,
                virtualOutbounds,
                gateways,
                policies,
                secrets);
    }

    MeshModel withExternalServices(Tree<String, ExternalService> changed) {
        return new MeshModel(
                name, declared, spec, dataplanes, services, changed, virtualOutbounds, gateways, policies, secrets);
    }

    MeshModel withVirtualOutbounds(Tree<String, VirtualOutbound> changed) {
        return new MeshModel(
                name, declared, spec, dataplanes, services, externalServices, changed, gateways, policies, secrets);
    }

    MeshModel withGateways(Tree<String, Gateway> changed) {
        return new MeshModel(
                name,
                declared,
                spec,
                dataplanes,
                services,
                externalServices,
                virtualOutbounds,
                changed,
                policies,
                secrets);
    }

    MeshModel withSecrets(Tree<String, String> changed) {
        return new MeshModel(
                name,
                declared,
                spec,
                dataplanes,
                services,
                externalServices,
                virtualOutbounds,
                gateways,
                policies,
                changed);
    }

    /** With one policy in the place of the one of its name, or without it. */
    MeshModel withPolicy(KindId kind, String policyName, Optional<Policy> policy) {
        List<Policy> list = new ArrayList<>(policies(kind));
        list.removeIf(each -> each.key().name().equals(policyName));
        policy.ifPresent(list::add);
        list.sort(Comparator.comparing(each -> each.key().name()));
        return new MeshModel(
                name,
                declared,
                spec,
                dataplanes,
                services,
                externalServices,
                virtualOutbounds,
                gateways,
                policies.with(kind, List.copyOf(list)),
                secrets);
    }
}
