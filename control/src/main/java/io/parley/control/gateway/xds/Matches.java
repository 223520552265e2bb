package io.parley.control.gateway.xds;

import io.envoyproxy.envoy.config.route.v3.HeaderMatcher;
import io.envoyproxy.envoy.config.route.v3.QueryParameterMatcher;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import io.parley.agreement.backend.RouteKind;
import io.parley.control.draft.HeaderMatchers;
import io.parley.resource.gateway.HttpMatch;

/** Which requests are meant. */
final class Matches {
    private Matches() {}

    static RouteMatch of(RouteKind kind, HttpMatch match) {
        RouteMatch.Builder builder = RouteMatch.newBuilder();
        String path = match.path().value();
        switch (match.path().type()) {
            case EXACT -> builder.setPath(path);
            case REGULAR_EXPRESSION -> builder.setSafeRegex(HeaderMatchers.regex(path));
            case PATH_PREFIX -> {
                if (path.equals("/")) {
                    builder.setPrefix(path);
                } else {
                    builder.setPathSeparatedPrefix(path);
                }
            }
        }
        if (match.method() != null) {
            builder.addHeaders(HeaderMatchers.method(match.method()));
        }
        match.headers()
                .forEach(header -> builder.addHeaders(
                        HeaderMatcher.newBuilder().setName(header.name()).setStringMatch(value(header))));
        match.query()
                .forEach(query -> builder.addQueryParameters(
                        QueryParameterMatcher.newBuilder().setName(query.name()).setStringMatch(value(query))));
        if (kind == RouteKind.GRPC) {
            builder.setGrpc(RouteMatch.GrpcRouteMatchOptions.getDefaultInstance());
        }
        return builder.build();
    }

    private static StringMatcher value(HttpMatch.Named named) {
        return switch (named.type()) {
            case EXACT -> HeaderMatchers.exact(named.value());
            case REGULAR_EXPRESSION ->
                StringMatcher.newBuilder()
                        .setSafeRegex(HeaderMatchers.regex(named.value()))
                        .build();
        };
    }
}
