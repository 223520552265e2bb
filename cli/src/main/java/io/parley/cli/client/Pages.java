package io.parley.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Reads a list of the API to its end, page by page. */
public final class Pages {
    private static final int SIZE = 1000;

    private Pages() {}

    /**
     * All items.
     *
     * @param query what follows the size, beginning with {@code &}, or nothing
     */
    public static List<JsonNode> all(ApiClient client, String path, String query) {
        List<JsonNode> items = new ArrayList<>();
        String next = path + "?size=" + SIZE + query;
        while (next != null) {
            JsonNode page = client.get(next).body();
            page.path("items").forEach(items::add);
            next = page.path("next").isTextual() ? page.path("next").asText() : null;
        }
        return items;
    }
}
