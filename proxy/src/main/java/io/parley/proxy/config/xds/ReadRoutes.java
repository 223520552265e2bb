package io.parley.proxy.config.xds;

import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;

/**
 * Routes as their resource says.
 *
 * @param cluster where a connection as a whole goes; empty if no route takes every path
 */
record ReadRoutes(String cluster) {
    static ReadRoutes read(RouteConfiguration routes, Reading reading) {
        return new ReadRoutes(HttpReader.cluster(routes, "", reading));
    }
}
