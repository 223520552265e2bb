package io.parley.resource.policy;

import java.util.List;

/**
 * A policy about traffic between proxies.
 *
 * @param to by destination, for what the proxies send
 * @param from by caller, for what they receive
 * @param rules what took the place of {@code from}
 */
public record TrafficPolicy<C>(TargetRef target, List<Item<C>> to, List<Item<C>> from, List<Rule<C>> rules)
        implements PolicySpec<C> {
    public TrafficPolicy {
        to = List.copyOf(to);
        from = List.copyOf(from);
        rules = List.copyOf(rules);
    }

    /** Settings for some destinations or callers. */
    public record Item<C>(TargetRef target, C conf) {}

    /**
     * Settings for incoming traffic.
     *
     * @param matches the callers; empty for all
     */
    public record Rule<C>(List<CallerMatch> matches, C conf) {
        public Rule {
            matches = List.copyOf(matches);
        }
    }
}
