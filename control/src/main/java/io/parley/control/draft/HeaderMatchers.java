package io.parley.control.draft;

import io.envoyproxy.envoy.config.route.v3.HeaderMatcher;
import io.envoyproxy.envoy.type.matcher.v3.RegexMatcher;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import io.parley.resource.policy.HeaderMatch;

/** Conditions on headers in the words of Envoy. */
public final class HeaderMatchers {
    private HeaderMatchers() {}

    public static HeaderMatcher of(HeaderMatch match) {
        HeaderMatcher.Builder matcher = HeaderMatcher.newBuilder().setName(match.name());
        return switch (match.type()) {
            case EXACT -> matcher.setStringMatch(exact(match.value())).build();
            case PREFIX ->
                matcher.setStringMatch(StringMatcher.newBuilder().setPrefix(match.value()))
                        .build();
            case REGULAR_EXPRESSION ->
                matcher.setStringMatch(StringMatcher.newBuilder().setSafeRegex(regex(match.value())))
                        .build();
            case PRESENT -> matcher.setPresentMatch(true).build();
            case ABSENT -> matcher.setPresentMatch(true).setInvertMatch(true).build();
        };
    }

    public static HeaderMatcher method(String method) {
        return HeaderMatcher.newBuilder()
                .setName(":method")
                .setStringMatch(exact(method))
                .build();
    }

    public static StringMatcher exact(String value) {
        return StringMatcher.newBuilder().setExact(value).build();
    }

    public static RegexMatcher regex(String pattern) {
        return RegexMatcher.newBuilder().setRegex(pattern).build();
    }
}
