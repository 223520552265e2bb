package io.parley.control.explain;

import io.parley.control.model.Dataplane;
import io.parley.control.model.Endpoint;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Names;
import io.parley.control.model.Service;
import io.parley.control.policy.Matched;
import io.parley.control.policy.Merges;
import io.parley.control.policy.trafficpermission.Permissions;
import io.parley.control.policy.trafficpermission.TrafficPermissionEffect;
import io.parley.resource.mesh.Inbound;
import io.parley.resource.mesh.Mtls;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** How two who do not know each other come to trust each other: what is encrypted how, and who may call. */
final class TrustSteps {
    /** One who is called, by one of its inbounds. */
    record Callee(Dataplane dataplane, Inbound inbound) {}

    private static final String BACKEND = "mtls.enabledBackend";
    private static final String PERMISSION = "permission";

    private final MeshModel mesh;
    private final Dataplane caller;
    private final Service service;
    private final Merges merges;

    TrustSteps(MeshModel mesh, Dataplane caller, Service service, Merges merges) {
        this.mesh = mesh;
        this.caller = caller;
        this.service = service;
        this.merges = merges;
    }

    /** Those of this zone who are called: policies for what they receive are the same for all of a service, as a rule. */
    Stream<Callee> callees() {
        return mesh.dataplanes().values().stream()
                .filter(dataplane -> dataplane.services().contains(service.name()))
                .flatMap(dataplane -> dataplane.spec().inbound().stream()
                        .filter(inbound -> service.name().equals(inbound.tags().get(Names.SERVICE)))
                        .map(inbound -> new Callee(dataplane, inbound)));
    }

    private static boolean isElsewhere(Endpoint endpoint) {
        return endpoint.kind() == Endpoint.Kind.OTHER_ZONE;
    }

    private Stream<Endpoint> endpoints(Predicate<Endpoint> wanted) {
        return service.endpoints().values().stream().filter(wanted);
    }

    private List<String> zonesElsewhere() {
        return endpoints(TrustSteps::isElsewhere)
                .map(Endpoint::zone)
                .map(zone -> Objects.requireNonNullElse(zone, "another zone"))
                .distinct()
                .sorted()
                .toList();
    }

    Step encryption() {
        Optional<Mtls.Authority> authority = mesh.authority();
        String resource = "Mesh/" + mesh.name();
        if (authority.isEmpty()) {
            String because = "the mesh has no authority in use"
                    + (zonesElsewhere().isEmpty() ? "" : ", and without one there is no way to other zones");
            return new Step("encryption", "none", because, resource, BACKEND, "mTLS");
        }
        boolean plain =
                endpoints(endpoint -> endpoint.identity() == null).findAny().isPresent();
        return new Step(
                "encryption",
                plain ? "mutual TLS where a proxy stands" : "mutual TLS",
                "authority " + authority.get().name() + " is in use; " + String.join("; ", ways())
                        + (plain ? "; endpoints without a proxy are spoken to in clear text" : ""),
                resource,
                BACKEND,
                authority.get().mode() == Mtls.Mode.STRICT
                        ? "STRICT: no caller without a certificate"
                        : "PERMISSIVE: callers without a certificate too");
    }

    private List<String> ways() {
        List<String> ways = new ArrayList<>();
        List<Endpoint> here = endpoints(endpoint -> !isElsewhere(endpoint)).toList();
        List<String> zones = zonesElsewhere();
        if (!here.isEmpty() || zones.isEmpty()) {
            ways.add(here.stream()
                    .flatMap(endpoint -> Optional.ofNullable(endpoint.meshPort()).stream())
                    .findFirst()
                    .map(port -> "to proxies on port " + port + ", with a connection header")
                    .orElse("straight to the endpoints' own ports"));
        }
        if (!zones.isEmpty()) {
            ways.add("to the proxies in " + String.join(", ", zones)
                    + " through its ingress, which passes on what it cannot read");
        }
        return ways;
    }

    /** At least one step: each side of a border decides for its own. */
    void addPermission(List<Step> steps) {
        if (mesh.authority().isEmpty()) {
            steps.add(new Step(
                    PERMISSION,
                    "not checked",
                    "without certificates nobody can be told from another",
                    "Mesh/" + mesh.name(),
                    BACKEND,
                    "permissions act with mTLS only"));
            return;
        }
        Optional<Callee> here = callees().findFirst();
        List<String> zones = zonesElsewhere();
        here.ifPresent(callee -> steps.add(verdict(callee)));
        zones.forEach(zone -> steps.add(new Step(
                PERMISSION,
                "decided in " + zone,
                "the proxies there decide, by the policies of their zone; the global control plane, which has both"
                        + " sides, tells what they decide",
                "",
                "",
                "who is called decides")));
        if (here.isEmpty() && zones.isEmpty()) {
            steps.add(Step.plain(PERMISSION, "not checked", "no proxy of the mesh stands before " + service.name()));
        }
    }

    private Step verdict(Callee callee) {
        String identity = caller.identity().map(Object::toString).orElse("");
        return Step.of(
                PERMISSION,
                Permissions.verdict(
                        Matched.of(TrafficPermissionEffect.KIND, mesh, callee.dataplane(), merges)
                                .byCaller(callee.inbound()),
                        mesh,
                        identity));
    }
}
