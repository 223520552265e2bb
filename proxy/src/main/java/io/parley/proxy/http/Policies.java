package io.parley.proxy.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request must pass before it is forwarded.
 *
 * @param access all of these must let it through; null if nothing is said
 */
public record Policies(
        @Nullable Fault fault,
        @Nullable RateLimit rateLimit,
        @Nullable List<AccessRules> access,
        @Nullable Cors cors) {
    public static final Policies NONE = new Policies(null, null, null, null);

    public Policies {
        access = access == null ? null : List.copyOf(access);
    }

    /** These, and where they say nothing, the others: a route's word counts before its host's, and that before the listener's. */
    public Policies over(Policies wider) {
        return new Policies(
                fault == null ? wider.fault : fault,
                rateLimit == null ? wider.rateLimit : rateLimit,
                access == null ? wider.access : access,
                cors == null ? wider.cors : cors);
    }

    public boolean isEmpty() {
        return equals(NONE);
    }
}
