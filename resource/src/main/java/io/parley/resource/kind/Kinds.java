package io.parley.resource.kind;

import io.parley.resource.KindId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** All kinds. A new one is added to the list of its family and nowhere else. */
public final class Kinds {
    private static final Map<KindId, Kind> BY_ID =
            byId(Stream.of(MeshKinds.ALL, PolicyKinds.ALL, LegacyKinds.ALL, ParleyKinds.ALL, KubernetesKinds.ALL)
                    .flatMap(List::stream)
                    .toList());

    private static final List<Kind> ALL = List.copyOf(BY_ID.values());

    private Kinds() {}

    /** In the order in which they are best shown. */
    public static List<Kind> all() {
        return ALL;
    }

    public static Optional<Kind> find(KindId id) {
        return Optional.ofNullable(BY_ID.get(id));
    }

    /** The kind of a resource that we made or read ourselves. */
    public static Kind require(KindId id) {
        return find(id).orElseThrow(() -> new IllegalStateException("no such kind: " + id));
    }

    /** The kind that a REST path names. Plurals are unique within a scope. */
    public static Optional<Kind> findByPlural(Scope scope, String plural) {
        return ALL.stream()
                .filter(kind -> kind.scope() == scope && kind.plural().equals(plural))
                .findFirst();
    }

    /**
     * The kind that people mean by a word: its id, name, plural or a short form, in any case. The mesh's own kinds come first,
     * so that {@code secrets} are those of a mesh and {@code core/Secret} those of Kubernetes.
     */
    public static Optional<Kind> findByWord(String word) {
        return ALL.stream().filter(kind -> means(word, kind)).findFirst();
    }

    /** The kind that {@code type:} names in a universal manifest. */
    public static Optional<Kind> findByType(String type) {
        return ALL.stream()
                .filter(kind -> kind.isOfMesh() && kind.isNamed(type))
                .findFirst();
    }

    /** The kind that {@code apiVersion:} and {@code kind:} name in a Kubernetes manifest. */
    public static Optional<Kind> findByApiVersion(String apiVersion, String name) {
        return ALL.stream()
                .filter(kind -> kind.apiVersions().contains(apiVersion) && kind.isNamed(name))
                .findFirst();
    }

    private static boolean means(String word, Kind kind) {
        return Stream.concat(Stream.of(kind.id().value(), kind.name(), kind.plural()), kind.words().stream())
                .anyMatch(name -> name.toLowerCase(Locale.ROOT).equals(word.toLowerCase(Locale.ROOT)));
    }

    private static Map<KindId, Kind> byId(List<Kind> kinds) {
        Map<KindId, Kind> byId = new LinkedHashMap<>();
        for (Kind kind : kinds) {
            if (byId.putIfAbsent(kind.id(), kind) != null) {
                throw new IllegalArgumentException("kind given twice: " + kind.id());
            }
        }
        return Collections.unmodifiableMap(byId);
    }
}
