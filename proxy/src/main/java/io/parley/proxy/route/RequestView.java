package io.parley.proxy.route;

import org.jspecify.annotations.Nullable;

/** What can be read of a request, whichever version of HTTP it came in. Valid only while its head is being looked at. */
public interface RequestView {
    String method();

    /** Whether the method is this one, without making a text of it. */
    default boolean isMethod(String name) {
        return method().equals(name);
    }

    /** {@code http} or {@code https}, as the client sees it. */
    String scheme();

    /** Where it comes from. */
    Provenance provenance();

    /** Host and port as the client named them; empty if it named none. */
    String authority();

    /** The path with its query, in the form that policies are to see. */
    String target();

    /** All values of a field, joined by commas; null if there is none. The name is in lower case. */
    @Nullable
    String field(String name);

    /** What a name stands for, pseudo-fields included, as route tables, access rules and log formats have it. */
    default @Nullable String named(String name) {
        return switch (name) {
            case ":method" -> method();
            case ":path" -> target();
            case ":authority", "host" -> authority();
            case ":scheme" -> scheme();
            default -> field(name);
        };
    }

    /** The path without its query. */
    default String path() {
        String target = target();
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }
}
