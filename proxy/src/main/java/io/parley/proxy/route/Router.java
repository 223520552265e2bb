package io.parley.proxy.route;

import io.parley.proxy.http.FieldMatch;
import io.parley.proxy.http.PathMatch;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteTable;
import io.parley.proxy.http.VirtualHost;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the route of a request. A host is looked for in this order: as it is, by its longest {@code *.suffix}, by its longest
 * {@code prefix.*}, then {@code *}; each with its port and, if that finds nothing, without. Of a host's routes the first that
 * matches is taken.
 *
 * @param <T> what stands for a route
 */
public final class Router<T> {
    private record Entry<T>(RequestMatch match, T target) {}

    private record Pattern<T>(String part, List<Entry<T>> routes) {}

    private final Map<String, List<Entry<T>>> exact = new HashMap<>();
    private final List<Pattern<T>> suffixes = new ArrayList<>();
    private final List<Pattern<T>> prefixes = new ArrayList<>();
    private @Nullable List<Entry<T>> any;

    public Router(RouteTable table, BiFunction<VirtualHost, Route, T> target) {
        for (VirtualHost host : table.hosts()) {
            List<Entry<T>> routes = host.routes().stream()
                    .map(route -> new Entry<>(route.match(), target.apply(host, route)))
                    .toList();
            host.domains().forEach(domain -> add(domain.toLowerCase(Locale.ROOT), routes));
        }
        Comparator<Pattern<T>> longestFirst = Comparator.comparingInt(pattern -> -pattern.part.length());
        suffixes.sort(longestFirst);
        prefixes.sort(longestFirst);
    }

    private void add(String domain, List<Entry<T>> routes) {
        if (domain.equals("*")) {
            any = any == null ? routes : any;
        } else if (domain.startsWith("*")) {
            suffixes.add(new Pattern<>(domain.substring(1), routes));
        } else if (domain.endsWith("*")) {
            prefixes.add(new Pattern<>(domain.substring(0, domain.length() - 1), routes));
        } else {
            exact.putIfAbsent(domain, routes);
        }
    }

    /** The only route there is, if it is for every request; null if a request must be looked at. */
    public @Nullable T only() {
        List<Entry<T>> all = any;
        boolean alone = exact.isEmpty() && suffixes.isEmpty() && prefixes.isEmpty() && all != null && all.size() == 1;
        return alone && all != null && all.getFirst().match.isUnconditional() ? all.getFirst().target : null;
    }

    /**
     * The route of a request; null if it has none.
     *
     * @param chance draws from 0 to 999,999
     */
    public @Nullable T find(RequestView request, IntSupplier chance) {
        List<Entry<T>> routes = host(request.authority().toLowerCase(Locale.ROOT));
        if (routes != null) {
            for (Entry<T> route : routes) {
                if (matches(route.match, request, chance)) {
                    return route.target;
                }
            }
        }
        return null;
    }

    private @Nullable List<Entry<T>> host(String authority) {
        String host = withoutPort(authority);
        List<Entry<T>> found = named(authority);
        if (found == null && !host.equals(authority)) {
            found = named(host);
        }
        return found == null ? any : found;
    }

    /** RFC 3986 3.2.2: an IPv6 address is in brackets, so the last colon after them is the port's. A trailing dot names the same host. */
    private static String withoutPort(String authority) {
        int colon = authority.lastIndexOf(':');
        String host = colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority;
        return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    }

    private @Nullable List<Entry<T>> named(String host) {
        List<Entry<T>> routes = exact.get(host);
        if (routes != null) {
            return routes;
        }
        for (Pattern<T> pattern : suffixes) {
            if (host.length() > pattern.part.length() && host.endsWith(pattern.part)) {
                return pattern.routes;
            }
        }
        for (Pattern<T> pattern : prefixes) {
            if (host.length() > pattern.part.length() && host.startsWith(pattern.part)) {
                return pattern.routes;
            }
        }
        return null;
    }

    static boolean matches(RequestMatch match, RequestView request, IntSupplier chance) {
        return matches(match.path(), request.path())
                && (match.method() == null || match.method().equals(request.method()))
                && allFields(match.fields(), request)
                && allParameters(match.query(), request.target())
                && (match.perMillion() >= RequestMatch.ALL || chance.getAsInt() < match.perMillion());
    }

    private static boolean matches(PathMatch match, String path) {
        return switch (match) {
            case PathMatch.Exact(var exact) -> path.equals(exact);
            case PathMatch.Prefix(var prefix) -> path.startsWith(prefix);
            case PathMatch.Segments(var prefix) ->
                prefix.equals("/")
                        || (path.startsWith(prefix)
                                && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/'));
            case PathMatch.Regex(var pattern) -> pattern.matches(path);
        };
    }

    private static boolean allFields(List<FieldMatch> fields, RequestView request) {
        for (FieldMatch field : fields) {
            if (!field.isFulfilledBy(Views.field(request, field.name()))) {
                return false;
            }
        }
        return true;
    }

    private static boolean allParameters(List<FieldMatch> parameters, String target) {
        for (FieldMatch parameter : parameters) {
            if (!parameter.isFulfilledBy(Queries.first(target, parameter.name()))) {
                return false;
            }
        }
        return true;
    }
}
