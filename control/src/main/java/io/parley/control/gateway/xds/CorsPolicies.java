package io.parley.control.gateway.xds;

import static io.parley.control.draft.Protos.flag;

import io.envoyproxy.envoy.extensions.filters.http.cors.v3.CorsPolicy;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import io.parley.control.draft.HeaderMatchers;
import io.parley.resource.gateway.RouteFilter;

/** Who may read answers in a browser. */
final class CorsPolicies {
    static final String FILTER = "envoy.filters.http.cors";

    private CorsPolicies() {}

    static CorsPolicy of(RouteFilter.Cors cors) {
        CorsPolicy.Builder policy = CorsPolicy.newBuilder()
                .setAllowMethods(String.join(",", cors.methods()))
                .setAllowHeaders(String.join(",", cors.headers()))
                .setExposeHeaders(String.join(",", cors.exposed()))
                .setMaxAge(Long.toString(cors.maxAge().toSeconds()))
                .setAllowCredentials(flag(cors.credentials()));
        cors.origins().forEach(origin -> policy.addAllowOriginStringMatch(origin(origin)));
        return policy.build();
    }

    /** A star in a host is greedy to the left: {@code https://*.a.example} takes {@code https://x.y.a.example}. */
    private static StringMatcher origin(String origin) {
        if (!origin.contains("*")) {
            return HeaderMatchers.exact(origin);
        }
        String pattern = origin.equals("*") ? ".*" : "\\Q" + origin.replace("*", "\\E[^/]+\\Q") + "\\E";
        return StringMatcher.newBuilder()
                .setSafeRegex(HeaderMatchers.regex(pattern))
                .build();
    }
}
