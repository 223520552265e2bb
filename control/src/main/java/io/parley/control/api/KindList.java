package io.parley.control.api;

import io.parley.resource.kind.Author;
import io.parley.resource.kind.Kind;
import io.parley.resource.kind.Kinds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code GET /api}: which kinds there are, and where to find their resources. */
final class KindList {
    private KindList() {}

    static Map<String, Object> document() {
        return Map.of("kinds", Kinds.all().stream().map(KindList::describe).toList());
    }

    private static Map<String, Object> describe(Kind kind) {
        Map<String, Object> description = new LinkedHashMap<>();
        description.put("id", kind.id().value());
        description.put("name", kind.name());
        description.put("apiVersions", kind.apiVersions());
        description.put("scope", kind.scope().name().toLowerCase(java.util.Locale.ROOT));
        description.put("path", path(kind));
        description.put("words", kind.words());
        description.put("description", kind.description());
        description.put("readOnly", kind.author() == Author.CONTROL_PLANE);
        kind.replacedBy().ifPresent(newer -> description.put("replacedBy", newer.value()));
        return description;
    }

    /** Where the resources of a kind are, with the names to fill in between braces. */
    static String path(Kind kind) {
        return switch (kind.scope()) {
            case GLOBAL -> "/" + kind.plural();
            case MESH -> "/meshes/{mesh}/" + kind.plural();
            case NAMESPACE -> "/namespaces/{namespace}/" + kind.plural();
        };
    }

    static List<String> spaceParameter(Kind kind) {
        return switch (kind.scope()) {
            case GLOBAL -> List.of();
            case MESH -> List.of("mesh");
            case NAMESPACE -> List.of("namespace");
        };
    }
}
