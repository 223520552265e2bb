package io.parley.proxy.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a request must pass before it is forwarded.
 *
 * @param faults all that hold for a request come together; null if nothing is said
 * @param access all of these must let it through, by the name of the filter that has them, in whose order they are asked
 */
public record Policies(
        @Nullable List<Fault> faults,
        @Nullable RateLimit rateLimit,
        Map<String, List<AccessRules>> access,
        @Nullable Cors cors) {
    public static final Policies NONE = new Policies(null, null, Map.of(), null);

    public Policies {
        faults = faults == null ? null : List.copyOf(faults);
        Map<String, List<AccessRules>> copy = new LinkedHashMap<>();
        access.forEach((name, rules) -> copy.put(name, List.copyOf(rules)));
        access = Collections.unmodifiableMap(copy);
    }

    /**
     * These, and where they say nothing, the others: a route's word counts before its host's, and that before the listener's. Of access rules, as in Envoy, it
     * counts instead of those of the filter with the same name, and beside the rest.
     */
    public Policies over(Policies wider) {
        return new Policies(
                faults == null ? wider.faults : faults,
                rateLimit == null ? wider.rateLimit : rateLimit,
                together(wider.access, access),
                cors == null ? wider.cors : cors);
    }

    private static Map<String, List<AccessRules>> together(
            Map<String, List<AccessRules>> wider, Map<String, List<AccessRules>> narrower) {
        Map<String, List<AccessRules>> all = new LinkedHashMap<>(wider);
        all.putAll(narrower);
        return all;
    }

    /** The rules of all filters. */
    public Stream<AccessRules> rules() {
        return access.values().stream().flatMap(List::stream);
    }

    /** Whether a request can be forbidden for what it says. */
    boolean judgeRequests() {
        return rules().anyMatch(rules -> rules.mode() == AccessRules.Mode.ENFORCED);
    }

    public boolean isEmpty() {
        return equals(NONE);
    }
}
