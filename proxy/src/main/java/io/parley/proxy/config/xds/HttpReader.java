package io.parley.proxy.config.xds;

import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.parley.proxy.config.xds.Chain.Goal;
import io.parley.proxy.config.xds.http.HttpReading;
import io.parley.proxy.config.xds.http.Problems;

/** Reads where HTTP goes. */
final class HttpReader {
    private HttpReader() {}

    static Goal goal(HttpConnectionManager manager, String path, Reading reading) {
        return switch (manager.getRouteSpecifierCase()) {
            case RDS ->
                new Goal.ByRoutes(
                        manager.getRds().getRouteConfigName(), HttpReading.manager(manager, problems(path, reading)));
            case ROUTE_CONFIG -> {
                ReadRoutes routes = ReadRoutes.read(manager.getRouteConfig(), path + ".route_config", reading);
                yield new Goal.Inline(routes, HttpReading.manager(manager, problems(path, reading)));
            }
            default -> {
                reading.fail(path, "no routes (expected: rds or route_config)");
                yield new Goal.ToCluster("");
            }
        };
    }

    static Problems problems(String path, Reading reading) {
        return (at, message) -> reading.fail(path.isEmpty() || at.isEmpty() ? path + at : path + "." + at, message);
    }

    /**
     * The cluster that a connection as a whole goes to: that of the first route that takes every path. It is what is dialled for a
     * client that is silent, and where bytes go that turn out not to be HTTP.
     */
    static String cluster(RouteConfiguration routes, String path, Reading reading) {
        String found = "";
        for (VirtualHost host : routes.getVirtualHostsList()) {
            for (Route route : host.getRoutesList()) {
                if (found.isEmpty() && route.getMatch().getPrefix().equals("/") && route.hasRoute()) {
                    var action = route.getRoute();
                    found = action.hasWeightedClusters()
                                    && action.getWeightedClusters().getClustersCount() > 0
                            ? action.getWeightedClusters().getClusters(0).getName()
                            : action.getCluster();
                }
            }
        }
        if (routes.getVirtualHostsCount() == 0) {
            reading.fail((path.isEmpty() ? "" : path + ".") + "virtual_hosts", "none (expected: at least one)");
        }
        return found;
    }
}
