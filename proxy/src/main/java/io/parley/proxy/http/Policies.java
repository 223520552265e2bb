package io.parley.proxy.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request must pass before it is forwarded.
 *
 * @param faults all that hold for a request come together; null if nothing is said
 * @param access all of these must let it through; null if nothing is said
 */
public record Policies(
        @Nullable List<Fault> faults,
        @Nullable RateLimit rateLimit,
        @Nullable List<AccessRules> access,
        @Nullable Cors cors) {
    public static final Policies NONE = new Policies(null, null, null, null);

    public Policies {
        faults = faults == null ? null : List.copyOf(faults);
        access = access == null ? null : List.copyOf(access);
    }

    /** These, and where they say nothing, the others: a route's word counts before its host's, and that before the listener's. */
    public Policies over(Policies wider) {
        return new Policies(
                faults == null ? wider.faults : faults,
                rateLimit == null ? wider.rateLimit : rateLimit,
                access == null ? wider.access : access,
                cors == null ? wider.cors : cors);
    }

    /** Whether a request can be forbidden for what it says. */
    boolean judgeRequests() {
        return access != null && access.stream().anyMatch(rules -> rules.mode() == AccessRules.Mode.ENFORCED);
    }

    public boolean isEmpty() {
        return equals(NONE);
    }
}
