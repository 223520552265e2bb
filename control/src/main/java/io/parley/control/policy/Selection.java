package io.parley.control.policy;

import io.parley.control.model.Dataplane;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Names;
import io.parley.control.model.Policy;
import io.parley.control.model.PolicyItem;
import io.parley.resource.KindId;
import io.parley.resource.mesh.Inbound;
import io.parley.resource.policy.ProxyType;
import io.parley.resource.policy.TargetKind;
import io.parley.resource.policy.TargetRef;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whom a {@code targetRef} picks. */
public final class Selection {
    static final KindId HTTP_ROUTE = new KindId("MeshHTTPRoute");

    private Selection() {}

    /** Whether a policy acts on a proxy, or on some of its inbounds. */
    public static boolean picks(Policy policy, MeshModel mesh, Dataplane dataplane) {
        return inScope(policy, dataplane) && picksProxy(policy.spec().target(), mesh, dataplane);
    }

    /** The same, where a route that a policy refers to may have gone in the meantime. */
    public static boolean mayPick(Policy policy, MeshModel mesh, Dataplane dataplane) {
        return policy.spec().target().kind() == TargetKind.MESH_HTTP_ROUTE || picks(policy, mesh, dataplane);
    }

    /** Whether a policy that acts on the proxy also acts on this inbound of it. */
    static boolean picks(Policy policy, Dataplane dataplane, Inbound inbound) {
        TargetRef target = policy.spec().target();
        Map<String, String> tags = inbound.tags();
        return switch (target.kind()) {
            case MESH_SUBSET -> contains(tags, target.tags());
            case MESH_SERVICE -> isService(target, tags.get(Names.SERVICE)) && isSection(target, inbound);
            case MESH_SERVICE_SUBSET -> isNamed(target, tags.get(Names.SERVICE)) && contains(tags, target.tags());
            case DATAPLANE -> isSection(target, inbound);
            case MESH, MESH_GATEWAY, MESH_EXTERNAL_SERVICE, MESH_MULTI_ZONE_SERVICE, MESH_HTTP_ROUTE -> true;
        };
    }

    /** Whether an item of {@code to} is about a destination as a whole; one about a route is not. */
    static boolean picks(PolicyItem item, Destination destination) {
        TargetRef target = item.target();
        return switch (target.kind()) {
            case MESH -> item.policy().spec().target().kind() != TargetKind.MESH_HTTP_ROUTE;
            case MESH_SERVICE, MESH_MULTI_ZONE_SERVICE -> {
                String section = target.sectionName();
                String port = KubernetesName.of(destination.service())
                        .map(KubernetesName::port)
                        .orElse("");
                yield isService(target, destination.service())
                        && (section == null || port.isEmpty() || section.equals(port));
            }
            case MESH_EXTERNAL_SERVICE -> destination.external() && isNamed(target, destination.service());
            case MESH_SERVICE_SUBSET ->
                isNamed(target, destination.service()) && contains(destination.tags(), target.tags());
            case MESH_SUBSET -> contains(destination.tags(), target.tags());
            case DATAPLANE, MESH_GATEWAY, MESH_HTTP_ROUTE -> false;
        };
    }

    /** Whether an item is about the requests of one route: by its own target, or by that of its policy. */
    static boolean picksRoute(PolicyItem item, String route) {
        TargetRef own = item.target();
        TargetRef top = item.policy().spec().target();
        return own.kind() == TargetKind.MESH_HTTP_ROUTE
                ? isNamed(own, route)
                : top.kind() == TargetKind.MESH_HTTP_ROUTE && isNamed(top, route);
    }

    /** A zone's own policies are for its own proxies, and those of a namespace's people for that namespace. */
    private static boolean inScope(Policy policy, Dataplane dataplane) {
        String zone = policy.zone();
        boolean foreign = policy.origin() == Policy.Origin.ZONE
                && policy.role() != Policy.Role.PRODUCER
                && zone != null
                && dataplane.zone() != null
                && !zone.equals(dataplane.zone());
        boolean local = policy.role() == Policy.Role.CONSUMER || policy.role() == Policy.Role.WORKLOAD_OWNER;
        String namespace = policy.namespace();
        return !foreign
                && (!local
                        || namespace == null
                        || namespace.equals(dataplane.labels().get(Names.NAMESPACE)));
    }

    private static boolean picksProxy(TargetRef target, MeshModel mesh, Dataplane dataplane) {
        return switch (target.kind()) {
            case MESH -> isType(target, dataplane);
            case MESH_SUBSET -> isType(target, dataplane) && anyTags(dataplane, target.tags());
            case MESH_SERVICE -> dataplane.services().stream().anyMatch(service -> isService(target, service));
            case MESH_SERVICE_SUBSET ->
                dataplane.tagSets().stream()
                        .anyMatch(tags -> isNamed(target, tags.get(Names.SERVICE)) && contains(tags, target.tags()));
            case DATAPLANE -> isDataplane(target, dataplane);
            case MESH_GATEWAY -> isGateway(target, mesh, dataplane);
            case MESH_HTTP_ROUTE ->
                route(target, mesh)
                        .filter(route -> picks(route, mesh, dataplane))
                        .isPresent();
            case MESH_EXTERNAL_SERVICE, MESH_MULTI_ZONE_SERVICE -> false;
        };
    }

    private static Optional<Policy> route(TargetRef target, MeshModel mesh) {
        return mesh.policies(HTTP_ROUTE).stream()
                .filter(route -> route.spec().target().kind() != TargetKind.MESH_HTTP_ROUTE)
                .filter(route -> isNamed(target, route.key().name()) || isNamed(target, route.displayName()))
                .findFirst();
    }

    private static boolean isType(TargetRef target, Dataplane dataplane) {
        ProxyType type = dataplane.isGateway() ? ProxyType.GATEWAY : ProxyType.SIDECAR;
        return target.proxyTypes().isEmpty() || target.proxyTypes().contains(type);
    }

    private static boolean isDataplane(TargetRef target, Dataplane dataplane) {
        if (!target.labels().isEmpty()) {
            return dataplane.labels().entrySet().containsAll(target.labels().entrySet());
        }
        String namespace = target.namespace();
        boolean there = namespace == null || namespace.equals(dataplane.labels().get(Names.NAMESPACE));
        return target.name() == null
                || (there && (isNamed(target, dataplane.name()) || isNamed(target, dataplane.displayName())));
    }

    private static boolean isGateway(TargetRef target, MeshModel mesh, Dataplane dataplane) {
        String name = target.name();
        return dataplane.isGateway()
                && name != null
                && mesh.gateways()
                        .find(name)
                        .filter(gateway -> gateway.selectors().stream().anyMatch(tags -> anyTags(dataplane, tags)))
                        .isPresent();
    }

    private static boolean isSection(TargetRef target, Inbound inbound) {
        String section = target.sectionName();
        return section == null || section.equals(inbound.name()) || section.equals(Integer.toString(inbound.port()));
    }

    /** Whether a target means a service, by the name that the mesh has for it or by the one that Kubernetes has. */
    public static boolean isService(TargetRef target, @Nullable String service) {
        if (service == null) {
            return false;
        }
        KubernetesName known = KubernetesName.of(service).orElse(null);
        if (!target.labels().isEmpty()) {
            return KubernetesName.labels(service, known)
                    .entrySet()
                    .containsAll(target.labels().entrySet());
        }
        String namespace = target.namespace();
        return namespace == null
                ? isNamed(target, service)
                : known != null && isNamed(target, known.name()) && namespace.equals(known.namespace());
    }

    private static boolean isNamed(TargetRef target, @Nullable String name) {
        return name != null && name.equals(target.name());
    }

    private static boolean anyTags(Dataplane dataplane, Map<String, String> wanted) {
        return dataplane.tagSets().stream().anyMatch(tags -> contains(tags, wanted));
    }

    /** Whether the tags are among these; {@code *} stands for any value. */
    public static boolean contains(Map<String, String> tags, Map<String, String> wanted) {
        return wanted.entrySet().stream()
                .allMatch(tag -> tag.getValue().equals("*")
                        ? tags.containsKey(tag.getKey())
                        : tag.getValue().equals(tags.get(tag.getKey())));
    }
}
