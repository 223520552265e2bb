package io.parley.control.gateway.xds;

import io.envoyproxy.envoy.config.route.v3.RedirectAction;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import io.parley.control.draft.Rewrites;
import io.parley.resource.gateway.HttpMatch;
import io.parley.resource.gateway.RouteFilter;
import io.parley.resource.gateway.RouteFilter.PathChange;

/** Other hosts and paths: told to the client, or only to the backend. */
final class Redirects {
    private Redirects() {}

    static RedirectAction redirect(RouteFilter.Redirect redirect, HttpMatch match, Place place) {
        RedirectAction.Builder action =
                RedirectAction.newBuilder().setResponseCode(Rewrites.code(redirect.statusCode()));
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
                case REPLACE_FULL_PATH -> action.setPathRedirect(Rewrites.rooted(path.value()));
                case REPLACE_PREFIX_MATCH ->
                    Rewrites.prefix(
                            match.path().value(), path.value(), action::setPrefixRewrite, action::setRegexRewrite);
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
            case REPLACE_FULL_PATH -> action.setRegexRewrite(Rewrites.wholePath(path.value()));
            case REPLACE_PREFIX_MATCH ->
                Rewrites.prefix(match.path().value(), path.value(), action::setPrefixRewrite, action::setRegexRewrite);
        }
    }
}
