package io.parley.proxy.config.xds;

import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.parley.proxy.config.xds.http.HttpReading;
import io.parley.proxy.http.RouteTable;

/**
 * Routes as their resource says.
 *
 * @param cluster where a connection as a whole goes; empty if no route takes every path
 * @param table where each request goes
 */
record ReadRoutes(String cluster, RouteTable table) {
    static ReadRoutes read(RouteConfiguration routes, Reading reading) {
        return read(routes, "", reading);
    }

    static ReadRoutes read(RouteConfiguration routes, String path, Reading reading) {
        return new ReadRoutes(
                HttpReader.cluster(routes, path, reading),
                HttpReading.routes(routes, HttpReader.problems(path, reading)));
    }
}
