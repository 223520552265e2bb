package io.parley.control.api;

import io.parley.resource.ResourceKey;
import io.parley.resource.kind.Kind;
import io.parley.resource.kind.Kinds;
import io.parley.resource.kind.Scope;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a path of the API points at: {@code /meshes/{mesh}/{kinds}/{name}}, {@code /namespaces/{namespace}/{kinds}/{name}} or
 * {@code /{kinds}/{name}}, each also without the name; {@code /{kinds}} of a kind that lives in meshes or namespaces means all of
 * them.
 */
public sealed interface ResourcePath {
    Kind kind();

    /** One resource. */
    record One(Kind kind, ResourceKey key) implements ResourcePath {}

    /**
     * A list.
     *
     * @param space the mesh or namespace, or null for all
     */
    record Many(Kind kind, @Nullable String space) implements ResourcePath {}

    /** What the path points at, or nothing if there is no such kind there. */
    static Optional<ResourcePath> parse(String path) {
        List<String> segments = Arrays.stream(path.split("/", -1))
                .skip(1)
                .map(ResourcePath::decode)
                .toList();
        if (segments.stream().anyMatch(String::isEmpty)) {
            return Optional.empty();
        }
        return switch (segments.size()) {
            case 1 -> kindAnywhere(segments.getFirst()).map(ResourcePath::all);
            case 2 -> Kinds.findByPlural(Scope.GLOBAL, segments.getFirst()).map(kind -> one(kind, "", segments.get(1)));
            case 3 -> kindIn(segments).map(kind -> new Many(kind, segments.get(1)));
            case 4 -> kindIn(segments).map(kind -> one(kind, segments.get(1), segments.get(3)));
            default -> Optional.empty();
        };
    }

    /** The path of one resource. */
    static String of(ResourceKey key) {
        Kind kind = Kinds.require(key.kind());
        return of(kind, kind.scope() == Scope.GLOBAL ? null : key.space()) + "/" + encode(key.name());
    }

    /** The path of a list: of a mesh or namespace, or of all of them. */
    static String of(Kind kind, @Nullable String space) {
        String within = space == null
                ? ""
                : switch (kind.scope()) {
                    case GLOBAL -> "";
                    case MESH -> "/meshes/" + encode(space);
                    case NAMESPACE -> "/namespaces/" + encode(space);
                };
        return within + "/" + kind.plural();
    }

    private static ResourcePath all(Kind kind) {
        return new Many(kind, kind.scope() == Scope.GLOBAL ? "" : null);
    }

    private static ResourcePath one(Kind kind, String space, String name) {
        return new One(kind, new ResourceKey(kind.id(), space, name));
    }

    private static Optional<Kind> kindAnywhere(String plural) {
        return Arrays.stream(Scope.values())
                .flatMap(scope -> Kinds.findByPlural(scope, plural).stream())
                .findFirst();
    }

    private static Optional<Kind> kindIn(List<String> segments) {
        return switch (segments.getFirst()) {
            case "meshes" -> Kinds.findByPlural(Scope.MESH, segments.get(2));
            case "namespaces" -> Kinds.findByPlural(Scope.NAMESPACE, segments.get(2));
            default -> Optional.empty();
        };
    }

    private static String encode(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String decode(String segment) {
        try {
            return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
