package io.parley.resource.policy.httproute;

import static io.parley.resource.policy.TargetKind.MESH_EXTERNAL_SERVICE;
import static io.parley.resource.policy.TargetKind.MESH_GATEWAY;
import static io.parley.resource.policy.TargetKind.MESH_MULTI_ZONE_SERVICE;
import static io.parley.resource.policy.TargetKind.MESH_SERVICE;
import static io.parley.resource.policy.TargetKind.MESH_SERVICE_SUBSET;

import io.parley.resource.policy.TargetKind;
import io.parley.resource.policy.TargetRef;
import io.parley.resource.policy.TargetRefs;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What happens to requests for one destination.
 *
 * @param hostnames that a gateway's listener must have been asked for; empty for all
 */
public record Routes(List<String> hostnames, List<Route> rules) {
    /**
     * Requests that fit one of the matches are changed by the filters and sent on to the backends.
     *
     * @param filters null leaves them to less specific policies
     * @param backendRefs null leaves them where they were going
     */
    public record Route(
            List<RequestMatch> matches,
            @Nullable List<Filter> filters,
            @Nullable List<BackendRef> backendRefs) {}

    /**
     * One place where requests go.
     *
     * @param weight its share, against those of the others
     */
    public record BackendRef(TargetRef target, @Nullable Integer port, int weight) {}

    private static final Set<TargetKind> BACKENDS =
            EnumSet.of(MESH_SERVICE, MESH_SERVICE_SUBSET, MESH_EXTERNAL_SERVICE, MESH_MULTI_ZONE_SERVICE);

    static Routes read(Fields item, TargetRef top) {
        if (top.kind() != MESH_GATEWAY) {
            item.refuse("hostnames", "only a MeshGateway is asked for host names");
        }
        return new Routes(
                item.at("hostnames").list(Field::requireText), item.at("rules").objects(rule -> route(rule, top)));
    }

    private static Route route(Fields rule, TargetRef top) {
        List<RequestMatch> matches = rule.at("matches").requireObjects(RequestMatch::read);
        boolean byPrefix = matches.stream().allMatch(RequestMatch::isByPrefix);
        return rule.at("default").requireObject(conf -> {
            Field filters = conf.at("filters");
            Field backends = conf.at("backendRefs");
            List<Filter> changes = filters.objects(filter -> Filter.read(filter, top, byPrefix));
            List<BackendRef> refs = backends.objects(Routes::backendRef);
            boolean redirects = changes.stream().anyMatch(Filter.RequestRedirect.class::isInstance);
            if (top.kind() == MESH_GATEWAY && refs.isEmpty() && !redirects) {
                backends.fail("none (expected: at least one, as a gateway has no other place to send requests to)");
            }
            return new Route(matches, filters.isPresent() ? changes : null, backends.isPresent() ? refs : null);
        });
    }

    private static BackendRef backendRef(Fields fields) {
        TargetRef target = TargetRefs.read(fields, BACKENDS);
        Integer port = fields.at("port").integer(IntRange.PORT);
        if (target.kind() == MESH_MULTI_ZONE_SERVICE && !fields.has("port")) {
            fields.fail("port", "missing (expected: a port of the MeshMultiZoneService)");
        }
        Integer weight = fields.at("weight").integer(IntRange.NOT_NEGATIVE);
        return new BackendRef(target, port, weight == null ? 1 : weight);
    }
}
