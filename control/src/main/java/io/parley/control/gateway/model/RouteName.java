package io.parley.control.gateway.model;

import io.parley.agreement.backend.RouteKind;
import io.parley.resource.ResourceKey;
import java.util.Comparator;

/** A route. */
public record RouteName(RouteKind kind, Name name) implements Comparable<RouteName> {
    private static final Comparator<RouteName> ORDER =
            Comparator.comparing(RouteName::kind).thenComparing(RouteName::name);

    public ResourceKey key() {
        return new ResourceKey(ObjectKinds.of(kind), name.namespace(), name.name());
    }

    @Override
    public int compareTo(RouteName other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return kind + "/" + name;
    }
}
