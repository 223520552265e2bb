package io.parley.resource;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;

/**
 * Which resource is meant.
 *
 * @param space the mesh or namespace that it lives in, empty for kinds of global scope
 */
public record ResourceKey(KindId kind, String space, String name) implements Comparable<ResourceKey> {
    private static final Comparator<ResourceKey> ORDER = Comparator.comparing(ResourceKey::kind)
            .thenComparing(ResourceKey::space)
            .thenComparing(ResourceKey::name);

    public ResourceKey {
        requireNonNull(kind, "kind");
        requireNonNull(space, "space");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("name: empty (expected: the name of a " + kind + ")");
        }
    }

    @Override
    public int compareTo(ResourceKey other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return space.isEmpty() ? kind + "/" + name : kind + "/" + space + "/" + name;
    }
}
