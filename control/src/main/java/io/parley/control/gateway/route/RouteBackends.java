package io.parley.control.gateway.route;

import io.parley.resource.gateway.BackendRef;
import io.parley.resource.gateway.GrpcRouteSpec;
import io.parley.resource.gateway.HttpRouteSpec;
import io.parley.resource.gateway.HttpRule;
import io.parley.resource.gateway.RouteFilter;
import io.parley.resource.gateway.RouteSpec;
import io.parley.resource.gateway.StreamRouteSpec;
import java.util.stream.Stream;

/** All references of a route to backends. */
public final class RouteBackends {
    private RouteBackends() {}

    public static Stream<BackendRef> of(RouteSpec route) {
        return switch (route) {
            case HttpRouteSpec http -> http.rules().stream().flatMap(RouteBackends::of);
            case GrpcRouteSpec grpc -> grpc.rules().stream().flatMap(RouteBackends::of);
            case StreamRouteSpec stream -> stream.rules().stream().flatMap(rule -> rule.backends().stream());
        };
    }

    private static Stream<BackendRef> of(HttpRule rule) {
        Stream<BackendRef> mirrors = rule.filters().stream()
                .filter(RouteFilter.Mirror.class::isInstance)
                .map(filter -> ((RouteFilter.Mirror) filter).backend());
        return Stream.concat(rule.backends().stream().map(HttpRule.Backend::ref), mirrors);
    }
}
