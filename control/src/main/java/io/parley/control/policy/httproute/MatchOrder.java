package io.parley.control.policy.httproute;

import io.parley.resource.policy.httproute.RequestMatch;
import io.parley.resource.policy.httproute.RequestMatch.PathMatch;
import java.util.Comparator;

/** Which of several matches takes a request that fits them all, as the Gateway API has it. */
final class MatchOrder {
    static final Comparator<RequestMatch> SPECIFIC_FIRST = Comparator.comparingInt(MatchOrder::pathRank)
            .thenComparingInt(
                    match -> match.path() == null ? 0 : match.path().value().length())
            .thenComparing(match -> match.method() != null)
            .thenComparingInt(match -> match.headers().size())
            .thenComparingInt(match -> match.queryParams().size())
            .reversed();

    private MatchOrder() {}

    private static int pathRank(RequestMatch match) {
        PathMatch path = match.path();
        return path == null
                ? 0
                : switch (path.type()) {
                    case REGULAR_EXPRESSION -> 1;
                    case PATH_PREFIX -> 2;
                    case EXACT -> 3;
                };
    }
}
