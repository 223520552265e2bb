package io.parley.control.explain;

import io.parley.control.model.Dataplane;
import io.parley.control.model.Endpoint;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.model.Policy;
import io.parley.control.model.Refusal;
import io.parley.control.model.Service;
import io.parley.control.model.VirtualOutbound;
import io.parley.control.policy.Selection;
import io.parley.resource.mesh.Mtls;
import io.parley.resource.policy.TargetRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Lists for people: what there is, and what of it is in force. */
public final class Overview {
    private Overview() {}

    /** A mesh. */
    public record MeshLine(String name, String mtls, int dataplanes, int services, int policies) {}

    /**
     * A service.
     *
     * @param kind {@code mesh} or {@code external}
     */
    public record ServiceLine(
            String name,
            String kind,
            String protocol,
            String because,
            long healthy,
            int total,
            List<String> zones,
            List<String> hostNames) {}

    /**
     * A host name.
     *
     * @param tags of the instances that are meant, beside the service's own
     */
    public record NameLine(
            String host,
            int port,
            String address,
            String loopback,
            String service,
            Map<String, String> tags,
            String virtualOutbound) {}

    /**
     * A policy.
     *
     * @param selects how many Dataplanes it acts on
     * @param state {@code applied}, {@code shadow}, or why it is not applied
     */
    public record PolicyLine(String kind, String name, String origin, String target, long selects, String state) {}

    public static List<MeshLine> meshes(Model model) {
        return model.meshes().values().stream()
                .filter(mesh -> mesh.declared() || !mesh.dataplanes().isEmpty())
                .map(mesh -> new MeshLine(
                        mesh.name(),
                        mesh.authority().map(Overview::authority).orElse("off"),
                        mesh.dataplanes().size(),
                        mesh.services().size(),
                        mesh.policies().values().stream().mapToInt(List::size).sum()))
                .toList();
    }

    private static String authority(Mtls.Authority authority) {
        return authority.name() + " (" + authority.type() + ", " + authority.mode() + ")";
    }

    public static List<ServiceLine> services(MeshModel mesh) {
        return mesh.services().values().stream()
                .map(service -> line(mesh, service))
                .toList();
    }

    private static ServiceLine line(MeshModel mesh, Service service) {
        List<Endpoint> endpoints = service.endpoints().values();
        return new ServiceLine(
                service.name(),
                service.isExternal() ? "external" : "mesh",
                service.protocol().value().toString(),
                service.protocol().because(),
                endpoints.stream().filter(Endpoint::healthy).count(),
                endpoints.size(),
                endpoints.stream()
                        .map(Endpoint::zone)
                        .filter(Objects::nonNull)
                        .distinct()
                        .sorted()
                        .toList(),
                mesh.hostNames(service).stream()
                        .map(VirtualOutbound.HostName::toString)
                        .toList());
    }

    public static List<NameLine> names(MeshModel mesh) {
        return mesh.virtualNames().all().stream()
                .map(name -> new NameLine(
                        name.called().host(),
                        name.called().port(),
                        name.address(),
                        name.loopback(),
                        name.called().service(),
                        name.subset(),
                        name.called().from()))
                .toList();
    }

    public static List<PolicyLine> policies(Model model, MeshModel mesh) {
        List<PolicyLine> lines = new ArrayList<>();
        mesh.policies().values().forEach(policies -> policies.forEach(policy -> lines.add(line(mesh, policy))));
        model.notApplied().forEach((key, newer) -> {
            if (key.space().equals(mesh.name())) {
                lines.add(new PolicyLine(
                        key.kind().value(), key.name(), "-", "-", 0, "stored, not applied: use " + newer));
            }
        });
        for (Refusal refusal : model.refusals().values()) {
            if (refusal.key().space().equals(mesh.name())) {
                lines.add(new PolicyLine(
                        refusal.key().kind().value(),
                        refusal.key().name(),
                        "-",
                        "-",
                        0,
                        "refused: " + refusal.violations().getFirst()));
            }
        }
        return lines;
    }

    private static PolicyLine line(MeshModel mesh, Policy policy) {
        long selects = 0;
        for (Dataplane dataplane : mesh.dataplanes().values()) {
            selects += Selection.picks(policy, mesh, dataplane) ? 1 : 0;
        }
        return new PolicyLine(
                policy.kind().value(),
                policy.displayName(),
                policy.origin().toString(),
                target(policy.spec().target()),
                selects,
                policy.isShadow() ? "shadow" : "applied");
    }

    private static String target(TargetRef target) {
        String name = target.name();
        return target.kind()
                + (name == null ? "" : "/" + name)
                + (target.tags().isEmpty() ? "" : target.tags().toString())
                + (target.labels().isEmpty() ? "" : target.labels().toString());
    }
}
