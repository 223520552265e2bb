package io.parley.control.gateway.model;

import io.parley.resource.ResourceKey;
import java.util.Comparator;

/** An object of a namespace. */
public record Name(String namespace, String name) implements Comparable<Name> {
    private static final Comparator<Name> ORDER =
            Comparator.comparing(Name::namespace).thenComparing(Name::name);

    public static Name of(ResourceKey key) {
        return new Name(key.space(), key.name());
    }

    @Override
    public int compareTo(Name other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
