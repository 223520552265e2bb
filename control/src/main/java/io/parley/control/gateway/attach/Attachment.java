package io.parley.control.gateway.attach;

import io.parley.control.gateway.model.Declared;
import io.parley.control.gateway.model.RouteName;
import io.parley.control.gateway.model.World;
import io.parley.resource.gateway.AllowedRoutes;
import io.parley.resource.gateway.LabelSelector;
import io.parley.resource.gateway.ParentRef;
import io.parley.resource.gateway.RouteSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Which listeners let a route in, by one of its parent references. */
public record Attachment(ParentRef parent, List<Bound> bound, Verdict accepted) {
    /** A listener, by its place in the Gateway, and the names under which the route is reached there. */
    public record Bound(int listener, List<String> hostnames) {
        public Bound {
            hostnames = List.copyOf(hostnames);
        }
    }

    public Attachment {
        bound = List.copyOf(bound);
    }

    public static Attachment of(
            World world, CheckedGateway gateway, RouteName name, Declared<RouteSpec> route, ParentRef parent) {
        List<Integer> meant = new ArrayList<>();
        for (int at = 0; at < gateway.listeners().size(); at++) {
            if (isMeant(parent, gateway.listeners().get(at))) {
                meant.add(at);
            }
        }
        if (meant.isEmpty()) {
            return refused(
                    parent,
                    "NoMatchingParent",
                    "Gateway/" + gateway.name() + " has no listener"
                            + (parent.sectionName() == null ? "" : " " + parent.sectionName())
                            + (parent.port() == null ? "" : " on port " + parent.port()));
        }
        List<Integer> allowing = meant.stream()
                .filter(at -> allows(world, gateway, gateway.listeners().get(at), name))
                .toList();
        if (allowing.isEmpty()) {
            return refused(
                    parent,
                    "NotAllowedByListeners",
                    "no listener takes " + name.kind() + "s of namespace "
                            + name.name().namespace() + " (see allowedRoutes of Gateway/" + gateway.name() + ")");
        }
        return bind(gateway, route, parent, allowing);
    }

    private static Attachment bind(
            CheckedGateway gateway, Declared<RouteSpec> route, ParentRef parent, List<Integer> allowing) {
        List<Bound> bound = new ArrayList<>();
        for (int at : allowing) {
            List<String> names = Hostnames.common(
                    gateway.listeners().get(at).spec().hostname(), route.spec().hostnames());
            if (!names.isEmpty()) {
                bound.add(new Bound(at, names));
            }
        }
        return bound.isEmpty()
                ? refused(
                        parent,
                        "NoMatchingListenerHostname",
                        route.spec().hostnames() + " (expected: a host name that a listener has)")
                : new Attachment(parent, bound, Verdict.good("Accepted", attached(bound)));
    }

    /** The same without the listeners where another route has its names. */
    public Attachment without(Map<Integer, RouteName> lost) {
        List<Bound> left = bound.stream()
                .filter(each -> !lost.containsKey(each.listener()))
                .toList();
        if (left.size() == bound.size()) {
            return this;
        }
        return left.isEmpty()
                ? refused(
                        parent,
                        "HostnameConflict",
                        lost.get(bound.getFirst().listener())
                                + " has the same host names (expected: names of their own for HTTPRoutes and"
                                + " GRPCRoutes)")
                : new Attachment(parent, left, Verdict.good("Accepted", attached(left)));
    }

    private static String attached(List<Bound> bound) {
        return "attached to " + bound.size() + " listeners";
    }

    private static Attachment refused(ParentRef parent, String reason, String message) {
        return new Attachment(parent, List.of(), Verdict.bad(reason, message));
    }

    private static boolean isMeant(ParentRef parent, CheckedListener listener) {
        return (parent.sectionName() == null
                        || parent.sectionName().equals(listener.spec().name()))
                && (parent.port() == null || parent.port() == listener.spec().port());
    }

    private static boolean allows(World world, CheckedGateway gateway, CheckedListener listener, RouteName route) {
        if (!listener.kinds().contains(route.kind())) {
            return false;
        }
        AllowedRoutes allowed = listener.spec().allowed();
        String namespace = route.name().namespace();
        return switch (allowed.from()) {
            case ALL -> true;
            case NONE -> false;
            case SAME -> namespace.equals(gateway.name().namespace());
            case SELECTOR -> {
                LabelSelector selector = Objects.requireNonNull(allowed.selector());
                yield selector.matches(world.labelsOf(namespace));
            }
        };
    }
}
