package io.parley.proxy.config.xds;

import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http.RouteTable;
import io.parley.proxy.http.VirtualHost;
import io.parley.proxy.http.WeightedCluster;
import java.util.List;
import java.util.function.Predicate;

/** Routes to clusters that have no endpoints of their own. */
final class RoutesAsDialled {
    private RoutesAsDialled() {}

    /** The same routes, but those to these clusters go where the connection goes, which is where a cluster without a name is. */
    static RouteTable toConnection(RouteTable table, Predicate<String> clusters) {
        return new RouteTable(
                table.name(),
                table.hosts().stream()
                        .map(host -> new VirtualHost(
                                host.name(),
                                host.domains(),
                                host.routes().stream()
                                        .map(route -> toConnection(route, clusters))
                                        .toList(),
                                host.policies()))
                        .toList());
    }

    private static Route toConnection(Route route, Predicate<String> clusters) {
        if (!(route.action() instanceof RouteAction.Forward forward)
                || forward.clusters().stream().map(WeightedCluster::name).noneMatch(clusters)) {
            return route;
        }
        List<WeightedCluster> changed = forward.clusters().stream()
                .map(one -> clusters.test(one.name())
                        ? new WeightedCluster("", one.weight(), one.request(), one.response())
                        : one)
                .toList();
        return new Route(
                route.name(),
                route.match(),
                new RouteAction.Forward(
                        changed,
                        forward.rewrite(),
                        forward.timeout(),
                        forward.idle(),
                        forward.retry(),
                        forward.mirrors(),
                        forward.affinity()),
                route.request(),
                route.response(),
                route.policies());
    }
}
