package io.parley.control.draft;

import io.parley.control.model.Endpoint;
import io.parley.control.model.Identities;
import io.parley.control.model.MeshModel;
import io.parley.control.model.PolicyItem;
import io.parley.control.model.Service;
import io.parley.control.policy.Selection;
import io.parley.resource.policy.CallerMatch;
import io.parley.resource.policy.TargetKind;
import io.parley.resource.policy.TargetRef;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who calls, by what their certificates say.
 *
 * @param everyone whether all are meant
 * @param ids SPIFFE ids that are meant
 */
public record Callers(boolean everyone, Set<String> ids) {
    /** Which services a part of a service stands for, since a certificate names a service and no tags. */
    public enum Part {
        /** Those of which all instances carry the tags: for what lets in. */
        ALL,
        /** Those of which some instance carries them: for what keeps out. */
        ANY
    }

    public static final Callers EVERYONE = new Callers(true, Set.of());

    public Callers {
        ids = new TreeSet<>(ids);
    }

    public boolean contains(String id) {
        return everyone || ids.contains(id);
    }

    /** The same, for a draft that is to be made again whenever the answer may be another. */
    public static Callers of(PolicyItem item, ProxyDraft draft, Part part) {
        boolean byTags = item.target().kind() == TargetKind.MESH_SUBSET
                || item.target().kind() == TargetKind.MESH_SERVICE_SUBSET
                || item.target().namespace() != null
                || !item.target().labels().isEmpty();
        return of(item, byTags ? draft.wholeMesh() : draft.mesh(), part);
    }

    /** The callers that an item of {@code from} is for. */
    public static Callers of(PolicyItem item, MeshModel model, Part part) {
        TargetRef target = item.target();
        String mesh = model.name();
        return switch (target.kind()) {
            case MESH_SERVICE -> {
                if (target.namespace() == null && target.labels().isEmpty()) {
                    yield new Callers(false, id(mesh, target.name()));
                }
                Set<String> ids = new LinkedHashSet<>();
                model.services().keys().stream()
                        .filter(service -> Selection.isService(target, service))
                        .forEach(service -> ids.addAll(id(mesh, service)));
                yield new Callers(false, ids);
            }
            case MESH_SERVICE_SUBSET, MESH_SUBSET -> {
                Set<String> ids = new LinkedHashSet<>();
                for (Service service : model.services().values()) {
                    boolean named = target.name() == null || target.name().equals(service.name());
                    if (named && carries(service, target.tags(), part)) {
                        ids.addAll(id(mesh, service.name()));
                    }
                }
                yield new Callers(false, ids);
            }
            default -> EVERYONE;
        };
    }

    /**
     * Which item holds for whom, where the first that is for a caller holds.
     *
     * @param items the strongest first
     * @return one entry for each caller that is named by any of them; {@code ""} stands for all others, if an item is for them
     */
    public static Map<String, PolicyItem> deciding(List<PolicyItem> items, Map<PolicyItem, Callers> callers) {
        Set<String> named = new TreeSet<>();
        callers.values().forEach(each -> named.addAll(each.ids()));
        Map<String, PolicyItem> deciding = new LinkedHashMap<>();
        for (String id : named) {
            first(items, callers, id).ifPresent(item -> deciding.put(id, item));
        }
        first(items, callers, "").ifPresent(item -> deciding.put("", item));
        return deciding;
    }

    private static Optional<PolicyItem> first(List<PolicyItem> items, Map<PolicyItem, Callers> callers, String id) {
        return items.stream()
                .filter(item -> callers.getOrDefault(item, EVERYONE).contains(id))
                .findFirst();
    }

    /** The ids that a rule names whole. */
    public static Set<String> exact(Collection<CallerMatch> matches) {
        Set<String> values = new TreeSet<>();
        for (CallerMatch match : matches) {
            CallerMatch.SpiffeIdMatch id = match.spiffeId();
            if (id != null && id.type() == CallerMatch.Type.EXACT) {
                values.add(id.value());
            }
        }
        return values;
    }

    private static boolean carries(Service service, Map<String, String> tags, Part part) {
        List<Endpoint> endpoints = service.endpoints().values();
        return switch (part) {
            case ALL -> !endpoints.isEmpty() && endpoints.stream().allMatch(endpoint -> endpoint.carries(tags));
            case ANY -> endpoints.stream().anyMatch(endpoint -> endpoint.carries(tags));
        };
    }

    private static Set<String> id(String mesh, @org.jspecify.annotations.Nullable String service) {
        return service == null
                ? Set.of()
                : Identities.of(mesh, service).map(id -> Set.of(id.toString())).orElse(Set.of());
    }
}
