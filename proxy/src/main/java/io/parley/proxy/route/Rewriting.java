package io.parley.proxy.route;

import io.parley.proxy.http.PathMatch;
import io.parley.proxy.http.PathRewrite;
import io.parley.proxy.http.RouteAction;
import org.jspecify.annotations.Nullable;

/** What a path becomes on its way. */
public final class Rewriting {
    private Rewriting() {}

    /** The path and query that the server is to see. */
    public static String target(String target, PathMatch matched, PathRewrite rewrite) {
        int query = target.indexOf('?');
        String path = query < 0 ? target : target.substring(0, query);
        String rest = query < 0 ? "" : target.substring(query);
        return path(path, matched, rewrite) + rest;
    }

    private static String path(String path, PathMatch matched, PathRewrite rewrite) {
        return switch (rewrite) {
            case PathRewrite.None() -> path;
            case PathRewrite.Whole(var whole) -> whole;
            case PathRewrite.Prefix(var replacement) ->
                rooted(replacement + path.substring(matchedLength(path, matched)));
            case PathRewrite.Segments(var replacement) ->
                segments(path.substring(matchedLength(path, matched)), replacement);
            case PathRewrite.Regex(var pattern, var substitution) ->
                rooted(pattern.matcher(path).replaceAll(dollars(substitution)));
        };
    }

    /** Gateway API: {@code /foo} replaced by {@code /} or by nothing leaves {@code /}, and no slash is ever doubled. */
    private static String segments(String rest, String replacement) {
        String front = replacement.endsWith("/") ? replacement.substring(0, replacement.length() - 1) : replacement;
        String back = rest.isEmpty() || rest.startsWith("/") ? rest : "/" + rest;
        return rooted(front + back);
    }

    private static String rooted(String path) {
        return path.startsWith("/") ? path : "/" + path;
    }

    private static int matchedLength(String path, PathMatch matched) {
        int length = switch (matched) {
            case PathMatch.Exact(var exact) -> exact.length();
            case PathMatch.Prefix(var prefix) -> prefix.length();
            case PathMatch.Segments(var prefix) -> prefix.equals("/") ? 0 : prefix.length();
            case PathMatch.Regex _ -> path.length();
        };
        return Math.min(length, path.length());
    }

    /** Envoy writes {@code \1}, RE2/J reads {@code $1}. */
    private static String dollars(String substitution) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < substitution.length(); i++) {
            char c = substitution.charAt(i);
            boolean escape = c == '\\' && i + 1 < substitution.length();
            if (escape && Character.isDigit(substitution.charAt(i + 1))) {
                out.append('$').append(substitution.charAt(++i));
            } else if (escape) {
                out.append("\\").append(substitution.charAt(++i));
            } else {
                out.append(c == '$' ? "\\$" : String.valueOf(c));
            }
        }
        return out.toString();
    }

    /** Where a redirect leads. */
    public static String location(RequestView request, RouteAction.Redirect redirect, PathMatch matched, int listener) {
        String scheme = redirect.scheme() == null ? request.scheme() : redirect.scheme();
        String authority = request.authority();
        int colon = authority.lastIndexOf(':');
        boolean hasPort = colon > authority.lastIndexOf(']');
        String ownHost = hasPort ? authority.substring(0, colon) : authority;
        String host = redirect.host() == null ? ownHost : redirect.host();
        int port = port(redirect, hasPort ? authority.substring(colon + 1) : null, listener);
        boolean usual = port == 0 || (scheme.equals("http") && port == 80) || (scheme.equals("https") && port == 443);
        String target = target(request.target(), matched, redirect.path());
        int query = target.indexOf('?');
        boolean dropped = redirect.query() == RouteAction.Redirect.Query.DROPPED && query >= 0;
        return scheme + "://" + host + (usual ? "" : ":" + port) + (dropped ? target.substring(0, query) : target);
    }

    private static int port(RouteAction.Redirect redirect, @Nullable String asked, int listener) {
        if (redirect.port() != 0 || redirect.scheme() != null) {
            return redirect.port();
        }
        if (asked == null) {
            return redirect.host() == null ? 0 : listener;
        }
        try {
            return Integer.parseInt(asked);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
