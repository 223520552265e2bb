package io.parley.control.gateway.xds;

import io.parley.control.gateway.route.ResolvedRoute;
import java.util.List;

/** A route at a listener, by the listener's place in its Gateway, and the names under which it is reached there. */
public record BoundRoute(ResolvedRoute route, int listener, List<String> hostnames) {
    public BoundRoute {
        hostnames = List.copyOf(hostnames);
    }
}
