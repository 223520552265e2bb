package io.parley.control.gateway.xds;

import io.envoyproxy.envoy.config.route.v3.RedirectAction;
import io.envoyproxy.envoy.config.route.v3.RedirectAction.RedirectResponseCode;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import io.envoyproxy.envoy.type.matcher.v3.RegexMatchAndSubstitute;
import io.parley.control.draft.HeaderMatchers;
import io.parley.resource.gateway.HttpMatch;
import io.parley.resource.gateway.RouteFilter;
import io.parley.resource.gateway.RouteFilter.PathChange;

/** Other hosts and paths: told to the client, or only to the backend. */
final class Redirects {
    private Redirects() {}

    static RedirectAction redirect(RouteFilter.Redirect redirect, HttpMatch match, Place place) {
        RedirectAction.Builder action = RedirectAction.newBuilder().setResponseCode(code(redirect.statusCode()));
        if (redirect.scheme() != null) {
            action.setSchemeRedirect(redirect.scheme());
        }
        if (redirect.hostname() != null) {
            action.setHostRedirect(redirect.hostname());
        }
        if (redirect.port() != null) {
            action.setPortRedirect(redirect.port());
        } else if (redirect.scheme() == null) {
            // The scheme stays, so the port stays: the listener's, whatever a client wrote after the host's name.
            action.setPortRedirect(place.port());
        }
        PathChange path = redirect.path();
        if (path != null) {
            switch (path.part()) {
                case REPLACE_FULL_PATH -> action.setPathRedirect(path.value());
                case REPLACE_PREFIX_MATCH -> {
                    if (removesPrefix(path)) {
                        action.setRegexRewrite(withoutPrefix(match));
                    } else {
                        action.setPrefixRewrite(withoutEnd(path.value()));
                    }
                }
            }
        }
        return action.build();
    }

    static void rewrite(RouteFilter.UrlRewrite rewrite, HttpMatch match, RouteAction.Builder action) {
        if (rewrite.hostname() != null) {
            action.setHostRewriteLiteral(rewrite.hostname());
        }
        PathChange path = rewrite.path();
        if (path == null) {
            return;
        }
        switch (path.part()) {
            case REPLACE_FULL_PATH -> action.setRegexRewrite(substitute("^/.*$", path.value()));
            case REPLACE_PREFIX_MATCH -> {
                if (removesPrefix(path)) {
                    action.setRegexRewrite(withoutPrefix(match));
                } else {
                    action.setPrefixRewrite(withoutEnd(path.value()));
                }
            }
        }
    }

    private static boolean removesPrefix(PathChange path) {
        return path.value().isEmpty() || path.value().equals("/");
    }

    /** {@code /xyz/} put before {@code /bar} is {@code /xyz/bar}. */
    private static String withoutEnd(String value) {
        return value.endsWith("/") ? value.substring(0, value.length() - 1) : value;
    }

    /** {@code /foo/bar} without {@code /foo} is {@code /bar}, never {@code //bar}; and {@code /foo} is {@code /}. */
    private static RegexMatchAndSubstitute withoutPrefix(HttpMatch match) {
        String prefix = match.path().value();
        return substitute("^" + (prefix.equals("/") ? "" : "\\Q" + prefix + "\\E") + "/*(.*)", "/\\1");
    }

    private static RegexMatchAndSubstitute substitute(String pattern, String substitution) {
        return RegexMatchAndSubstitute.newBuilder()
                .setPattern(HeaderMatchers.regex(pattern))
                .setSubstitution(substitution)
                .build();
    }

    private static RedirectResponseCode code(int status) {
        return switch (status) {
            case 301 -> RedirectResponseCode.MOVED_PERMANENTLY;
            case 303 -> RedirectResponseCode.SEE_OTHER;
            case 307 -> RedirectResponseCode.TEMPORARY_REDIRECT;
            case 308 -> RedirectResponseCode.PERMANENT_REDIRECT;
            default -> RedirectResponseCode.FOUND;
        };
    }
}
