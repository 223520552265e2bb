package io.parley.control.explain;

import io.parley.agreement.reason.Decision;
import io.parley.control.model.Dataplane;
import io.parley.control.model.Endpoint;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.model.Protocol;
import io.parley.control.model.Service;
import io.parley.control.policy.Destination;
import io.parley.control.policy.Merges;
import java.util.ArrayList;
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
        Protocol protocol = service.get().protocol().value();
        TrustSteps trust = new TrustSteps(mesh, caller, service.get(), merges);
        steps.add(Step.of("protocol", service.get().protocol()));
        if (protocol == Protocol.DETECT) {
            addLearned(service.get(), trust, steps);
        }
        addHints(service.get(), steps);
        steps.add(endpoints(service.get()));
        steps.add(trust.encryption());
        trust.addPermission(steps);
        List<Step> settings = new ArrayList<>();
        new PolicySteps(mesh, caller, merges).addTo(Destination.of(mesh, target.service(), Map.of()), settings);
        trust.callees()
                .findFirst()
                .ifPresent(callee ->
                        new PolicySteps(mesh, callee.dataplane(), merges).addInbound(callee.inbound(), settings));
        steps.addAll(protocol == Protocol.OPAQUE ? RequestSettings.leaveOut(settings, target.service()) : settings);
    }

    /** What proxies of both sides found out where nothing is declared: their word, which never overrides a declaration. */
    private void addLearned(Service service, TrustSteps trust, List<Step> steps) {
        learned(caller, service.name()).forEach(steps::add);
        trust.callees()
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
}
