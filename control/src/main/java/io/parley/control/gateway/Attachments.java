package io.parley.control.gateway;

import io.parley.agreement.backend.RouteKind;
import io.parley.control.gateway.attach.Attachment;
import io.parley.control.gateway.attach.CheckedGateway;
import io.parley.control.gateway.attach.HostClaims;
import io.parley.control.gateway.attach.HostClaims.Claim;
import io.parley.control.gateway.model.Declared;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.RouteName;
import io.parley.control.gateway.model.World;
import io.parley.control.gateway.route.ResolvedRoute;
import io.parley.control.gateway.xds.BoundRoute;
import io.parley.resource.gateway.ParentRef;
import io.parley.resource.gateway.RouteSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which routes are at which gateways of ours. Confined to one thread. */
final class Attachments {
    /** As each route has it by itself, whatever others want. */
    private final Map<RouteName, List<Attachment>> byRoute = new HashMap<>();
    /** Who has the names in its place, for each route that has lost them at a listener of a gateway. */
    private final Map<Name, Map<RouteName, Map<Integer, RouteName>>> lost = new HashMap<>();

    private final Links<RouteName, Name> byGateway = new Links<>();

    List<Attachment> of(RouteName route) {
        List<Attachment> own = byRoute.getOrDefault(route, List.of());
        return lost.isEmpty()
                ? own
                : own.stream()
                        .map(each -> each.without(lost.getOrDefault(gateway(route, each.parent()), Map.of())
                                .getOrDefault(route, Map.of())))
                        .toList();
    }

    /** Decides anew who has which host names at a gateway; returns those who have others now. */
    Set<RouteName> settle(Name gateway, World world) {
        List<Claim> claims = new ArrayList<>();
        for (RouteName name : routesOf(gateway)) {
            if (name.kind() == RouteKind.HTTP || name.kind() == RouteKind.GRPC) {
                world.routes().find(name).ifPresent(route -> claims.addAll(claims(gateway, name, route.created())));
            }
        }
        Map<RouteName, Map<Integer, RouteName>> after = HostClaims.lost(claims);
        Map<RouteName, Map<Integer, RouteName>> before =
                Objects.requireNonNullElse(after.isEmpty() ? lost.remove(gateway) : lost.put(gateway, after), Map.of());
        return Stream.concat(before.keySet().stream(), after.keySet().stream())
                .filter(route -> !Objects.equals(before.get(route), after.get(route)))
                .collect(Collectors.toSet());
    }

    private List<Claim> claims(Name gateway, RouteName name, Instant created) {
        return byRoute.getOrDefault(name, List.of()).stream()
                .filter(each -> gateway(name, each.parent()).equals(gateway))
                .flatMap(each -> each.bound().stream())
                .map(each -> new Claim(name, created, each.listener(), each.hostnames()))
                .toList();
    }

    /** Gateways of ours that a route names, whether or not they let it in. */
    Set<Name> gatewaysOf(RouteName route) {
        return byRoute.getOrDefault(route, List.of()).stream()
                .map(each -> gateway(route, each.parent()))
                .collect(Collectors.toSet());
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

    /** What a gateway's listeners serve. A route is at a listener once, by however many of its parents. */
    List<BoundRoute> bound(Name gateway, Map<RouteName, ResolvedRoute> routes) {
        List<BoundRoute> bound = new ArrayList<>();
        for (RouteName name : routesOf(gateway)) {
            ResolvedRoute route = routes.get(name);
            Set<Integer> seen = new HashSet<>();
            for (Attachment attachment : of(name)) {
                if (route != null && gateway(name, attachment.parent()).equals(gateway)) {
                    attachment.bound().stream()
                            .filter(each -> seen.add(each.listener()))
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
