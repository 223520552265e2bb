package io.parley.resource.policy;

import static io.parley.resource.policy.TargetKind.DATAPLANE;
import static io.parley.resource.policy.TargetKind.MESH;
import static io.parley.resource.policy.TargetKind.MESH_EXTERNAL_SERVICE;
import static io.parley.resource.policy.TargetKind.MESH_GATEWAY;
import static io.parley.resource.policy.TargetKind.MESH_HTTP_ROUTE;
import static io.parley.resource.policy.TargetKind.MESH_MULTI_ZONE_SERVICE;
import static io.parley.resource.policy.TargetKind.MESH_SERVICE;
import static io.parley.resource.policy.TargetKind.MESH_SERVICE_SUBSET;
import static io.parley.resource.policy.TargetKind.MESH_SUBSET;

import io.parley.resource.read.Choices;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads {@code targetRef}: which kinds stand at which place, and which fields each kind has. */
public final class TargetRefs {
    /** What nearly every policy takes at the top. */
    public static final Set<TargetKind> PROXIES =
            EnumSet.of(MESH, MESH_SUBSET, MESH_GATEWAY, MESH_SERVICE, MESH_SERVICE_SUBSET, DATAPLANE);

    /** The same, and the requests of one route. */
    public static final Set<TargetKind> PROXIES_AND_ROUTES = with(PROXIES, MESH_HTTP_ROUTE);

    public static final Set<TargetKind> DESTINATIONS =
            EnumSet.of(MESH, MESH_SERVICE, MESH_EXTERNAL_SERVICE, MESH_MULTI_ZONE_SERVICE);

    public static final Set<TargetKind> DESTINATIONS_AND_ROUTES = with(DESTINATIONS, MESH_HTTP_ROUTE);

    public static final Set<TargetKind> WHOLE_MESH = EnumSet.of(MESH);

    public static final Set<TargetKind> CALLERS = EnumSet.of(MESH, MESH_SUBSET, MESH_SERVICE, MESH_SERVICE_SUBSET);

    private static final Choices<ProxyType> PROXY_TYPES = Choices.camelCase(ProxyType.class);

    // Not a DNS name: the service tag of a Kubernetes Service is backend_default_svc_80.
    private static final Pattern NAME = Pattern.compile("[0-9a-z._-]{1,253}");

    private static final List<String> FIELDS =
            List.of("name", "namespace", "labels", "sectionName", "tags", "proxyTypes", "mesh");

    private TargetRefs() {}

    /** The one at the top of a policy; without it a policy is for the whole mesh. */
    public static TargetRef top(Fields spec, Set<TargetKind> kinds) {
        // A section of a proxy is one of its inbounds, and so means something to policies about incoming traffic only.
        boolean inbound = spec.hasAny("from", "rules");
        TargetRef ref = spec.at("targetRef").object(fields -> {
            TargetRef top = read(fields, kinds);
            if (top.kind() == DATAPLANE && top.sectionName() != null && !inbound) {
                fields.fail("sectionName", "not allowed here (only policies with from or rules act on one inbound)");
            }
            return top;
        });
        return ref == null ? TargetRef.MESH : ref;
    }

    /** The one of an item. */
    public static TargetRef of(Fields item, Set<TargetKind> kinds) {
        return item.at("targetRef").requireObject(fields -> read(fields, kinds));
    }

    /** Reads the fields of a reference that stand among others, which the caller reads. */
    public static TargetRef read(Fields fields, Set<TargetKind> kinds) {
        Choices<TargetKind> choices = Choices.by(kinds, TargetKind::toString);
        TargetKind kind = fields.at("kind").choice(choices);
        if (kind == null) {
            var _ = fields.at("kind").requireChoice(choices);
            FIELDS.forEach(fields::ignore);
            return TargetRef.MESH;
        }
        Set<String> allowed = fieldsOf(kind);
        FIELDS.stream()
                .filter(field -> !allowed.contains(field))
                .forEach(field -> fields.refuse(field, "a reference of kind " + kind + " has no such field"));
        checkSelection(kind, fields);
        return new TargetRef(
                kind,
                fields.at("name").text("a name of lower case letters, digits, '-', '_' and '.'", TargetRefs::isName),
                fields.at("namespace").text(),
                fields.at("sectionName").text(),
                fields.at("labels").texts(),
                fields.at("tags").tags(),
                proxyTypes(fields.at("proxyTypes")));
    }

    private static Set<String> fieldsOf(TargetKind kind) {
        return switch (kind) {
            case MESH -> Set.of("proxyTypes");
            case MESH_SUBSET -> Set.of("tags", "proxyTypes");
            case MESH_GATEWAY, MESH_SERVICE_SUBSET -> Set.of("name", "tags");
            case MESH_SERVICE, MESH_MULTI_ZONE_SERVICE, DATAPLANE ->
                Set.of("name", "namespace", "labels", "sectionName");
            case MESH_EXTERNAL_SERVICE, MESH_HTTP_ROUTE -> Set.of("name", "namespace", "labels");
        };
    }

    private static void checkSelection(TargetKind kind, Fields fields) {
        switch (kind) {
            case MESH, MESH_SUBSET -> {}
            case MESH_GATEWAY, MESH_SERVICE_SUBSET -> {
                if (!fields.has("name")) {
                    fields.fail("name", "missing (expected: the name of a " + kind + ")");
                }
            }
            case DATAPLANE -> fields.allowOneOf("name", "labels");
            case MESH_SERVICE, MESH_MULTI_ZONE_SERVICE, MESH_EXTERNAL_SERVICE, MESH_HTTP_ROUTE -> {
                var _ = fields.needOneOf("name", "labels");
            }
        }
        if (fields.has("namespace") && !fields.has("name")) {
            fields.fail("namespace", "not allowed here (a namespace goes with a name)");
        }
    }

    private static Set<ProxyType> proxyTypes(Field field) {
        List<ProxyType> types = field.list(item -> item.requireChoice(PROXY_TYPES));
        if (field.isPresent() && types.isEmpty()) {
            field.fail("empty (expected: one or more of " + PROXY_TYPES + ")");
        }
        return Set.copyOf(types);
    }

    private static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    private static Set<TargetKind> with(Set<TargetKind> kinds, TargetKind more) {
        Set<TargetKind> all = EnumSet.copyOf(kinds);
        all.add(more);
        return all;
    }
}
