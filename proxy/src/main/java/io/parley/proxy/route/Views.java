package io.parley.proxy.route;

import org.jspecify.annotations.Nullable;

/** Fields of a request by name, pseudo-fields included, as route tables and access rules name them. */
final class Views {
    private Views() {}

    static @Nullable String field(RequestView request, String name) {
        return switch (name) {
            case ":method" -> request.method();
            case ":path" -> request.target();
            case ":authority", "host" -> request.authority();
            case ":scheme" -> request.scheme();
            default -> request.field(name);
        };
    }
}
