package io.parley.store;

import io.parley.resource.KindId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which resources to list.
 *
 * @param space only those of this mesh or namespace (empty: of global scope), or null for all
 * @param labels only those that bear all of these
 * @param limit at most so many on a page
 * @param after only those that come later than this in the order of space and name, or null from the first
 */
public record Query(
        KindId kind,
        @Nullable String space,
        Map<String, String> labels,
        int limit,
        @Nullable Cursor after) {
    public static final int DEFAULT_LIMIT = 100;
    public static final int MAX_LIMIT = 10_000;

    public Query {
        labels = Map.copyOf(labels);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit: " + limit + " (expected: 1 to " + MAX_LIMIT + ")");
        }
    }

    public static Query of(KindId kind) {
        return new Query(kind, null, Map.of(), DEFAULT_LIMIT, null);
    }

    public Query inSpace(String newSpace) {
        return new Query(kind, newSpace, labels, limit, after);
    }

    public Query withLabels(Map<String, String> newLabels) {
        return new Query(kind, space, newLabels, limit, after);
    }

    public Query withLimit(int newLimit) {
        return new Query(kind, space, labels, newLimit, after);
    }

    public Query startingAfter(@Nullable Cursor newAfter) {
        return new Query(kind, space, labels, limit, newAfter);
    }
}
