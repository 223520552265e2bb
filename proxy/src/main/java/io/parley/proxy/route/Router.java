package io.parley.proxy.route;

import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteTable;
import io.parley.proxy.http.VirtualHost;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
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
    private final Map<String, HostRoutes<T>> exact = new HashMap<>();
    private final SortedMap<Integer, Map<String, HostRoutes<T>>> suffixes = new TreeMap<>(Comparator.reverseOrder());
    private final SortedMap<Integer, Map<String, HostRoutes<T>>> prefixes = new TreeMap<>(Comparator.reverseOrder());
    private @Nullable HostRoutes<T> any;

    public Router(RouteTable table, BiFunction<VirtualHost, Route, T> target) {
        for (VirtualHost host : table.hosts()) {
            HostRoutes<T> routes = new HostRoutes<>(host.routes().stream()
                    .map(route -> new HostRoutes.Entry<>(route.match(), target.apply(host, route)))
                    .toList());
            host.domains().forEach(domain -> add(HostName.of(domain), routes));
        }
    }

    /** Of two hosts with the same domain the first counts. */
    private void add(String domain, HostRoutes<T> routes) {
        int length = domain.length() - 1;
        if (domain.equals("*")) {
            any = any == null ? routes : any;
        } else if (domain.startsWith("*")) {
            suffixes.computeIfAbsent(length, _ -> new HashMap<>()).putIfAbsent(domain.substring(1), routes);
        } else if (domain.endsWith("*")) {
            prefixes.computeIfAbsent(length, _ -> new HashMap<>()).putIfAbsent(domain.substring(0, length), routes);
        } else {
            exact.putIfAbsent(domain, routes);
        }
    }

    /** The only route there is, if it is for every request; null if a request must be looked at. */
    public @Nullable T only() {
        HostRoutes<T> all = any;
        boolean alone = exact.isEmpty() && suffixes.isEmpty() && prefixes.isEmpty();
        return alone && all != null ? all.only() : null;
    }

    /**
     * The route of a request; null if it has none.
     *
     * @param chance draws from 0 to 999,999
     */
    public @Nullable T find(RequestView request, IntSupplier chance) {
        HostRoutes<T> routes = host(HostName.of(request.authority()));
        return routes == null ? null : routes.find(request, chance);
    }

    private @Nullable HostRoutes<T> host(String authority) {
        String host = HostName.withoutPort(authority);
        HostRoutes<T> found = named(authority);
        if (found == null && !host.equals(authority)) {
            found = named(host);
        }
        return found == null ? any : found;
    }

    /** A star stands for at least one letter. There are only so many lengths, so this does not grow with the number of hosts. */
    private @Nullable HostRoutes<T> named(String host) {
        HostRoutes<T> found = exact.get(host);
        for (var entry : suffixes.entrySet()) {
            if (found == null && entry.getKey() < host.length()) {
                found = entry.getValue().get(host.substring(host.length() - entry.getKey()));
            }
        }
        for (var entry : prefixes.entrySet()) {
            if (found == null && entry.getKey() < host.length()) {
                found = entry.getValue().get(host.substring(0, entry.getKey()));
            }
        }
        return found;
    }
}
