package io.parley.proxy.http;

import java.util.List;

/**
 * The routes of some hosts.
 *
 * @param domains {@code a.example}, {@code *.example}, {@code a.*} or {@code *}, with or without a port
 * @param routes the first that matches is taken
 */
public record VirtualHost(String name, List<String> domains, List<Route> routes, Policies policies) {
    public VirtualHost {
        domains = List.copyOf(domains);
        routes = List.copyOf(routes);
    }
}
