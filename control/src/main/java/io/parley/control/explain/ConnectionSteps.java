package io.parley.control.explain;

import io.parley.agreement.reason.Decision;
import io.parley.control.model.Dataplane;
import io.parley.control.model.Endpoint;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.model.Names;
import io.parley.control.model.Protocol;
import io.parley.control.model.Service;
import io.parley.control.policy.Destination;
import io.parley.control.policy.Matched;
import io.parley.control.policy.Merges;
import io.parley.control.policy.trafficpermission.Permissions;
import io.parley.control.policy.trafficpermission.TrafficPermissionEffect;
import io.parley.resource.mesh.Inbound;
import io.parley.resource.mesh.Mtls;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What happens between one proxy and a service. */
final class ConnectionSteps {
    private static final int MOST_ENDPOINTS = 10;

    private final Model model;
    private final MeshModel mesh;
    private final Dataplane caller;
    private final Target target;
    private final Merges merges;
    private final Observations observed;

    ConnectionSteps(
            Model model, MeshModel mesh, Dataplane caller, Target target, Merges merges, Observations observed) {
        this.model = model;
        this.mesh = mesh;
        this.caller = caller;
        this.target = target;
        this.merges = merges;
        this.observed = observed;
    }

    void addTo(List<Step> steps) {
        Optional<Service> service = mesh.services().find(target.service());
        if (service.isEmpty()) {
            steps.add(Step.plain("endpoints", "none", "no proxy offers " + target.service()));
            return;
        }
        steps.add(Step.of("protocol", service.get().protocol()));
        if (service.get().protocol().value() == Protocol.DETECT) {
            addLearned(service.get(), steps);
        }
        addHints(service.get(), steps);
        steps.add(endpoints(service.get()));
        steps.add(encryption(service.get()));
        called(service.get()).ifPresent(callee -> permission(callee, steps));
        new PolicySteps(mesh, caller, merges).addTo(Destination.of(mesh, target.service(), Map.of()), steps);
        called(service.get())
                .ifPresent(callee ->
                        new PolicySteps(mesh, callee.dataplane(), merges).addInbound(callee.inbound(), steps));
    }

    /** What proxies of both sides found out where nothing is declared: their word, which never overrides a declaration. */
    private void addLearned(Service service, List<Step> steps) {
        learned(caller, service.name()).forEach(steps::add);
        callees(service)
                .limit(MOST_ENDPOINTS)
                .flatMap(callee -> learned(callee.dataplane(), "port " + Dataplane.servicePort(callee.inbound())))
                .forEach(steps::add);
    }

    private Stream<Step> learned(Dataplane proxy, String subject) {
        return observed.reported(mesh.name(), proxy.name()).stream()
                .filter(found -> found.subject().equals(subject))
                .map(found -> new Step(
                        "learned by " + proxy.displayName(),
                        found.value(),
                        found.because(),
                        "DataplaneInsight/" + proxy.name(),
                        "report.decisions",
                        found.rule()));
    }

    private static void addHints(Service service, List<Step> steps) {
        Protocol common = service.protocol().value();
        List<Endpoint> others = service.endpoints().values().stream()
                .filter(endpoint -> endpoint.protocol().value() != common)
                .toList();
        others.stream().limit(MOST_ENDPOINTS).forEach(endpoint -> {
            Decision<Protocol> hint = endpoint.protocol();
            steps.add(Step.of("hint for " + endpoint.id(), hint));
        });
    }

    private Step endpoints(Service service) {
        List<Endpoint> all = service.endpoints().values();
        long healthy = all.stream().filter(Endpoint::healthy).count();
        long elsewhere = all.stream()
                .filter(endpoint -> endpoint.kind() == Endpoint.Kind.OTHER_ZONE)
                .count();
        String zones = elsewhere == 0
                ? ""
                : ", " + elsewhere + " through ingresses of other zones"
                        + (mesh.spec().routing().zoneEgress()
                                        && model.localEgress().isPresent()
                                ? ", by way of this zone's egress"
                                : "");
        return Step.plain(
                "endpoints",
                healthy + " of " + all.size() + " healthy",
                all.stream()
                                .limit(MOST_ENDPOINTS)
                                .map(endpoint -> endpoint.id() + " at " + endpoint.address() + ":" + endpoint.port())
                                .reduce((left, right) -> left + ", " + right)
                                .orElse("none")
                        + zones);
    }

    private Step encryption(Service service) {
        Optional<Mtls.Authority> authority = mesh.authority();
        String resource = "Mesh/" + mesh.name();
        if (authority.isEmpty()) {
            return new Step(
                    "encryption", "none", "the mesh has no authority in use", resource, "mtls.enabledBackend", "mTLS");
        }
        boolean plain = service.endpoints().values().stream().anyMatch(endpoint -> endpoint.identity() == null);
        Optional<Integer> header = service.endpoints().values().stream()
                .flatMap(endpoint -> Optional.ofNullable(endpoint.meshPort()).stream())
                .findFirst();
        String how = header.map(port -> "to proxies on port " + port + ", with a connection header")
                .orElse("straight to the endpoints' own ports");
        return new Step(
                "encryption",
                plain ? "mutual TLS where a proxy stands" : "mutual TLS",
                "authority " + authority.get().name() + " is in use; " + how
                        + (plain ? "; endpoints without a proxy are spoken to in clear text" : ""),
                resource,
                "mtls.enabledBackend",
                authority.get().mode() == Mtls.Mode.STRICT
                        ? "STRICT: no caller without a certificate"
                        : "PERMISSIVE: callers without a certificate too");
    }

    private record Callee(Dataplane dataplane, Inbound inbound) {}

    /** One of those who are called: policies for what they receive are the same for all of a service, as a rule. */
    private Optional<Callee> called(Service service) {
        return callees(service).findFirst();
    }

    private Stream<Callee> callees(Service service) {
        return mesh.dataplanes().values().stream()
                .filter(dataplane -> dataplane.services().contains(service.name()))
                .flatMap(dataplane -> dataplane.spec().inbound().stream()
                        .filter(inbound -> service.name().equals(inbound.tags().get(Names.SERVICE)))
                        .map(inbound -> new Callee(dataplane, inbound)));
    }

    private void permission(Callee callee, List<Step> steps) {
        String identity = caller.identity().map(Object::toString).orElse("");
        if (mesh.authority().isEmpty()) {
            steps.add(new Step(
                    "permission",
                    "not checked",
                    "without certificates nobody can be told from another",
                    "Mesh/" + mesh.name(),
                    "mtls.enabledBackend",
                    "permissions act with mTLS only"));
            return;
        }
        Decision<?> verdict = Permissions.verdict(
                Matched.of(TrafficPermissionEffect.KIND, mesh, callee.dataplane(), merges)
                        .byCaller(callee.inbound()),
                mesh,
                identity);
        steps.add(Step.of("permission", verdict));
    }
}
