package io.parley.xds.server.session;

import io.parley.xds.server.session.TypeRules.Completeness;
import io.parley.xds.server.session.TypeRules.EmptyList;
import io.parley.xds.server.session.TypeRules.Removal;
import io.parley.xds.type.ResourceType;

/** Which rules hold for a type, by its canonical URL. */
@FunctionalInterface
public interface TypePolicy {
    TypeRules rulesOf(String typeUrl);

    /**
     * The rules of xDS: clusters before endpoints before listeners before routes, stale clusters and endpoints taken away last
     * ("make before break"); only listeners and clusters know the wildcard that is an empty list.
     */
    static TypePolicy xds() {
        return url -> ResourceType.find(url).map(TypePolicy::rulesOf).orElse(OTHER);
    }

    /** For a type that xDS orders nowhere. */
    TypeRules OTHER = new TypeRules(Completeness.CHANGED_ONLY, EmptyList.NOTHING, 0, Removal.AT_ONCE);

    private static TypeRules rulesOf(ResourceType type) {
        return switch (type) {
            case CLUSTER -> new TypeRules(Completeness.EVERYTHING, EmptyList.WILDCARD, 1, Removal.LAST);
            case ENDPOINT -> new TypeRules(Completeness.CHANGED_ONLY, EmptyList.NOTHING, 2, Removal.LAST);
            case LISTENER -> new TypeRules(Completeness.EVERYTHING, EmptyList.WILDCARD, 3, Removal.AT_ONCE);
            case ROUTE -> new TypeRules(Completeness.CHANGED_ONLY, EmptyList.NOTHING, 4, Removal.AT_ONCE);
            case SECRET, RUNTIME -> OTHER;
        };
    }
}
