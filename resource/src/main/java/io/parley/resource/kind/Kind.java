package io.parley.resource.kind;

import io.parley.resource.KindId;
import io.parley.resource.read.SpecReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A kind of resource.
 *
 * @param name as in {@code type:} and {@code kind:}
 * @param apiVersions as in {@code apiVersion:}, the one that we write first
 * @param plural as in REST paths
 * @param words what else people call it on a command line or in a manifest, short forms included
 * @param replacedBy the kind that does the same today, if this one is old
 * @param reader what its document means, if we interpret it; otherwise it is kept as it is
 */
public record Kind(
        KindId id,
        String name,
        List<String> apiVersions,
        String plural,
        List<String> words,
        String description,
        Scope scope,
        Shape shape,
        NameRule names,
        Sync sync,
        Author author,
        Optional<KindId> replacedBy,
        Optional<SpecReader<?>> reader) {
    public Kind {
        apiVersions = List.copyOf(apiVersions);
        words = List.copyOf(words);
    }

    /** Whether it is one of the mesh's own kinds, which have both forms, rather than one of Kubernetes. */
    public boolean isOfMesh() {
        return !id.value().contains("/");
    }

    /** The version that we write. */
    public String apiVersion() {
        return apiVersions.getFirst();
    }

    /** Whether {@code type:} or {@code kind:} of a manifest means this kind. */
    public boolean isNamed(String text) {
        return name.equals(text) || words.contains(text);
    }

    @Override
    public String toString() {
        return id.value();
    }

    static Builder named(String name) {
        return new Builder(name);
    }

    /** Says what is special about a kind; the rest is as for a policy of the mesh. */
    static final class Builder {
        private final String name;
        private String group = "";
        private List<String> apiVersions = List.of("kuma.io/v1alpha1");
        private String plural;
        private final List<String> words = new ArrayList<>();
        private String description = "";
        private Scope scope = Scope.MESH;
        private Shape shape = Shape.SPEC;
        private NameRule names = NameRule.SUBDOMAIN;
        private Sync sync = Sync.NEVER;
        private Author author = Author.GLOBAL;
        private @Nullable KindId replacedBy;
        private @Nullable SpecReader<?> reader;

        private Builder(String name) {
            this.name = name;
            this.plural = name.toLowerCase(Locale.ROOT) + "s";
        }

        /** A kind of Kubernetes: namespaced, and in one form only. */
        Builder ofKubernetes(String kindGroup, String... versions) {
            group = kindGroup;
            apiVersions = List.of(versions);
            scope = Scope.NAMESPACE;
            return this;
        }

        Builder apiVersions(String... versions) {
            apiVersions = List.of(versions);
            return this;
        }

        Builder plural(String path) {
            plural = path;
            return this;
        }

        Builder words(String... others) {
            words.addAll(List.of(others));
            return this;
        }

        Builder description(String text) {
            description = text;
            return this;
        }

        Builder scope(Scope where) {
            scope = where;
            return this;
        }

        Builder shape(Shape how) {
            shape = how;
            return this;
        }

        Builder names(NameRule rule) {
            names = rule;
            return this;
        }

        Builder sync(Sync direction) {
            sync = direction;
            return this;
        }

        Builder author(Author who) {
            author = who;
            return this;
        }

        Builder replacedBy(String other) {
            replacedBy = new KindId(other);
            return this;
        }

        Builder reader(SpecReader<?> specReader) {
            reader = specReader;
            return this;
        }

        Kind build() {
            return new Kind(
                    new KindId(group.isEmpty() ? name : group + "/" + name),
                    name,
                    apiVersions,
                    plural,
                    words,
                    description,
                    scope,
                    shape,
                    names,
                    sync,
                    author,
                    Optional.ofNullable(replacedBy),
                    Optional.ofNullable(reader));
        }
    }
}
