package io.parley.control.draft;

import io.envoyproxy.envoy.config.route.v3.Route;
import org.jspecify.annotations.Nullable;

/**
 * Some requests to a destination, and where they go.
 *
 * @param policy the MeshHTTPRoute that picks them; null for those that none does
 */
public record RouteDraft(Route.Builder route, @Nullable String policy) {}
