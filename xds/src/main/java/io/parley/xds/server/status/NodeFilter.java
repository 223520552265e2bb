package io.parley.xds.server.status;

import io.envoyproxy.envoy.type.matcher.v3.NodeMatcher;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Whether a node is one of those asked for, by its id. */
record NodeFilter(UnaryOperator<String> folded, Predicate<String> test) {
    /** The filter that a matcher describes, if it is of a kind that is supported. */
    static Optional<NodeFilter> of(NodeMatcher matcher) {
        if (matcher.getNodeMetadatasCount() > 0) {
            return Optional.empty();
        }
        StringMatcher id = matcher.getNodeId();
        if (!id.getUnknownFields().asMap().isEmpty()) {
            return Optional.empty(); // v2's regex, which v3 dropped: taken for no pattern it would match all
        }
        UnaryOperator<String> fold = id.getIgnoreCase() ? text -> text.toLowerCase(Locale.ROOT) : text -> text;
        return switch (id.getMatchPatternCase()) {
            case EXACT -> filter(fold, fold.apply(id.getExact())::equals);
            case PREFIX -> filter(fold, text -> text.startsWith(fold.apply(id.getPrefix())));
            case SUFFIX -> filter(fold, text -> text.endsWith(fold.apply(id.getSuffix())));
            case CONTAINS -> filter(fold, text -> text.contains(fold.apply(id.getContains())));
            case MATCHPATTERN_NOT_SET -> filter(fold, _ -> true);
            case SAFE_REGEX, CUSTOM -> Optional.empty();
        };
    }

    boolean matches(String id) {
        return test.test(folded.apply(id));
    }

    private static Optional<NodeFilter> filter(UnaryOperator<String> fold, Predicate<String> test) {
        return Optional.of(new NodeFilter(fold, test));
    }
}
