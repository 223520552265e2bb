package io.parley.proxy.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which requests a route is for: those that fulfil all of this.
 *
 * @param method null for all
 * @param perMillion the share of those that match otherwise which is taken
 */
public record RequestMatch(
        PathMatch path, @Nullable String method, List<FieldMatch> fields, List<FieldMatch> query, int perMillion) {
    public static final int ALL = 1_000_000;
    public static final RequestMatch ANY = new RequestMatch(new PathMatch.Prefix("/"), null, List.of(), List.of(), ALL);

    public RequestMatch {
        fields = List.copyOf(fields);
        query = List.copyOf(query);
    }

    /** Whether nothing of a request needs to be read to know that it matches. */
    public boolean isUnconditional() {
        return path.equals(ANY.path) && method == null && fields.isEmpty() && query.isEmpty() && perMillion == ALL;
    }
}
