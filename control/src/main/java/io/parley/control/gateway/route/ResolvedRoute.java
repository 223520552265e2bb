package io.parley.control.gateway.route;

import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.RouteName;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A route with its references followed.
 *
 * @param trouble what is wrong with its references, in the order of rules
 * @param remarks what its owner should know although it works
 * @param services what it rests on, whether or not they exist
 * @param namespaces whose ReferenceGrants it rests on
 */
public record ResolvedRoute(
        RouteName name,
        Instant created,
        List<ResolvedRule> rules,
        List<Trouble> trouble,
        List<String> remarks,
        Set<Name> services,
        Set<String> namespaces) {
    /** A reference that leads nowhere, where it stands. */
    public record Trouble(String where, Reached.Broken broken) {}

    public ResolvedRoute {
        rules = List.copyOf(rules);
        trouble = List.copyOf(trouble);
        remarks = List.copyOf(remarks);
        services = Set.copyOf(services);
        namespaces = Set.copyOf(namespaces);
    }

    /** All that traffic may be sent to, mirrors included. */
    public Stream<Target> targets() {
        return rules.stream()
                .flatMap(rule -> Stream.concat(
                        rule.shares().stream()
                                .filter(share -> share.weight() > 0)
                                .map(ResolvedRule.Share::reached)
                                .filter(Reached.Usable.class::isInstance)
                                .map(reached -> ((Reached.Usable) reached).target()),
                        rule.mirrors().stream().map(ResolvedRule.MirrorTo::target)));
    }

    public List<ResolvedRule> dropped() {
        return rules.stream().filter(rule -> rule.dropped() != null).toList();
    }

    public boolean areAllRulesDropped() {
        return rules.stream().allMatch(rule -> rule.dropped() != null) && !rules.isEmpty();
    }

    /** Design 6.6: nothing it could do with a request is left, and that is because of protocols it cannot speak. */
    public boolean hasOnlyUnsupportedBackends() {
        Predicate<Trouble> unsupported = each -> each.broken().reason() == BrokenReason.UNSUPPORTED_PROTOCOL;
        return trouble.stream().anyMatch(unsupported)
                && rules.stream().noneMatch(ResolvedRule::redirects)
                && rules.stream()
                        .flatMap(rule -> rule.shares().stream())
                        .noneMatch(share -> share.weight() > 0 && share.reached() instanceof Reached.Usable);
    }

    /** Whether its parents may let it in, as far as what it says itself counts. */
    public boolean isAcceptable() {
        return !areAllRulesDropped() && !hasOnlyUnsupportedBackends();
    }
}
