package io.parley.control.policy.httproute;

import io.parley.control.draft.OutboundDraft;
import io.parley.control.draft.PolicyEffect;
import io.parley.control.draft.ProxyDraft;
import io.parley.control.draft.RouteDraft;
import io.parley.control.model.PolicyItem;
import io.parley.control.policy.Matched;
import io.parley.control.policy.PolicyKind;
import io.parley.resource.KindId;
import io.parley.resource.Result;
import io.parley.resource.Violation;
import io.parley.resource.policy.httproute.Filter;
import io.parley.resource.policy.httproute.RequestMatch;
import io.parley.resource.policy.httproute.Routes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts routes before the one that sends everything to the service itself. Rules with the same matches are one rule, of which the
 * stronger policy sets what it says; the most specific match takes a request.
 */
public final class HttpRouteEffect implements PolicyEffect<Routes> {
    /** Rules are merged by their matches and not field by field, so that there is nothing to read here. */
    public static final PolicyKind<Routes> KIND = new PolicyKind<>(
            new KindId("MeshHTTPRoute"),
            _ -> new Result.Rejected<>(List.of(new Violation("", "routes are merged by their matches"))));

    /** What policies together say about some requests. */
    record Rule(
            List<RequestMatch> matches,
            @Nullable List<Filter> filters,
            @Nullable List<Routes.BackendRef> backendRefs,
            String policy) {}

    @Override
    public PolicyKind<Routes> kind() {
        return KIND;
    }

    @Override
    public void apply(Matched<Routes> matched, ProxyDraft draft) {
        for (OutboundDraft outbound : draft.outbounds()) {
            if (outbound.carriesHttp()) {
                outbound.routes().addAll(0, routes(rules(matched.items(outbound.destination())), outbound, draft));
            }
        }
    }

    /**
     * The rules for one destination.
     *
     * @param items the weakest first
     */
    static List<Rule> rules(List<PolicyItem> items) {
        Map<List<RequestMatch>, Rule> rules = new LinkedHashMap<>();
        for (PolicyItem item : items) {
            for (Routes.Route route : ((Routes) item.typed()).rules()) {
                Rule weaker = rules.get(route.matches());
                List<Filter> filters = route.filters();
                List<Routes.BackendRef> backendRefs = route.backendRefs();
                rules.put(
                        route.matches(),
                        new Rule(
                                route.matches(),
                                filters == null && weaker != null ? weaker.filters() : filters,
                                backendRefs == null && weaker != null ? weaker.backendRefs() : backendRefs,
                                item.policy().displayName()));
            }
        }
        return List.copyOf(rules.values());
    }

    private static List<RouteDraft> routes(List<Rule> rules, OutboundDraft outbound, ProxyDraft draft) {
        record Candidate(RequestMatch match, Rule rule) {}
        List<Candidate> candidates = new ArrayList<>();
        rules.forEach(rule -> rule.matches().forEach(match -> candidates.add(new Candidate(match, rule))));
        RouteBuilder builder = new RouteBuilder(outbound, draft);
        return candidates.stream()
                .sorted((left, right) -> MatchOrder.SPECIFIC_FIRST.compare(left.match(), right.match()))
                .map(candidate -> new RouteDraft(
                        builder.route(candidate.match(), candidate.rule()),
                        candidate.rule().policy()))
                .toList();
    }
}
