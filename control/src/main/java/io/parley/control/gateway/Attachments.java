package io.parley.control.gateway;

import io.parley.control.gateway.attach.Attachment;
import io.parley.control.gateway.attach.CheckedGateway;
import io.parley.control.gateway.model.Declared;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.RouteName;
import io.parley.control.gateway.model.World;
import io.parley.control.gateway.route.ResolvedRoute;
import io.parley.control.gateway.xds.BoundRoute;
import io.parley.resource.gateway.ParentRef;
import io.parley.resource.gateway.RouteSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Which routes are at which gateways of ours. Confined to one thread. */
final class Attachments {
    private final Map<RouteName, List<Attachment>> byRoute = new HashMap<>();
    private final Links<RouteName, Name> byGateway = new Links<>();

    List<Attachment> of(RouteName route) {
        return byRoute.getOrDefault(route, List.of());
    }

    /** Gateways of ours that a route names, whether or not they let it in. */
    Set<Name> gatewaysOf(RouteName route) {
        return of(route).stream().map(each -> gateway(route, each.parent())).collect(Collectors.toSet());
    }

    Set<Name> gatewaysThatLetIn(RouteName route) {
        return of(route).stream()
                .filter(each -> each.accepted().good())
                .map(each -> gateway(route, each.parent()))
                .collect(Collectors.toSet());
    }

    /** Routes that name a gateway, whether or not it is there. */
    Set<RouteName> routesOf(Name gateway) {
        return byGateway.of(gateway);
    }

    void attach(RouteName name, Declared<RouteSpec> route, World world, Map<Name, CheckedGateway> gateways) {
        List<Attachment> found = new ArrayList<>();
        Set<Name> named = new LinkedHashSet<>();
        for (ParentRef parent : route.spec().parents()) {
            if (parent.isGateway()) {
                Name gateway = gateway(name, parent);
                named.add(gateway);
                CheckedGateway checked = gateways.get(gateway);
                if (checked != null) {
                    found.add(Attachment.of(world, checked, name, route, parent));
                }
            }
        }
        byGateway.replace(name, named);
        byRoute.put(name, found);
    }

    void forget(RouteName route) {
        byRoute.remove(route);
        byGateway.replace(route, Set.of());
    }

    /** What a gateway's listeners serve. */
    List<BoundRoute> bound(Name gateway, Map<RouteName, ResolvedRoute> routes) {
        List<BoundRoute> bound = new ArrayList<>();
        for (RouteName name : routesOf(gateway)) {
            ResolvedRoute route = routes.get(name);
            for (Attachment attachment : of(name)) {
                if (route != null && gateway(name, attachment.parent()).equals(gateway)) {
                    attachment
                            .bound()
                            .forEach(each -> bound.add(new BoundRoute(route, each.listener(), each.hostnames())));
                }
            }
        }
        return bound;
    }

    private static Name gateway(RouteName route, ParentRef parent) {
        return new Name(parent.namespace() == null ? route.name().namespace() : parent.namespace(), parent.name());
    }
}
