package io.parley.control.api;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.parley.resource.Violation;
import io.parley.store.Cursor;
import io.parley.store.Page;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A list as asked for: {@code ?size=100&offset=…&label=key=value}. */
record ListRequest(Query query) {
    static ListRequest read(ServiceRequestContext context, ResourcePath.Many path) {
        List<Violation> violations = new ArrayList<>();
        Query query = Query.of(path.kind().id())
                .withLimit(size(context.queryParam("size"), violations))
                .startingAfter(offset(context.queryParam("offset"), violations))
                .withLabels(labels(context.queryParams().getAll("label"), violations));
        if (!violations.isEmpty()) {
            throw Problem.invalid("The query is not valid.", violations).asException();
        }
        return new ListRequest(path.space() == null ? query : query.inSpace(path.space()));
    }

    Page in(ResourceStore store) {
        return store.list(query);
    }

    private static int size(@Nullable String text, List<Violation> violations) {
        if (text == null) {
            return Query.DEFAULT_LIMIT;
        }
        int size = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
        if (size < 1 || size > Query.MAX_LIMIT) {
            violations.add(new Violation("size", text + " (expected: 1 to " + Query.MAX_LIMIT + ")"));
            return Query.DEFAULT_LIMIT;
        }
        return size;
    }

    private static @Nullable Cursor offset(@Nullable String text, List<Violation> violations) {
        if (text == null) {
            return null;
        }
        Optional<Cursor> cursor = Cursor.parse(text);
        if (cursor.isEmpty()) {
            violations.add(new Violation("offset", text + " (expected: what 'next' of the page before says)"));
        }
        return cursor.orElse(null);
    }

    private static Map<String, String> labels(List<String> texts, List<Violation> violations) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                violations.add(new Violation("label", text + " (expected: KEY=VALUE)"));
            } else {
                labels.put(text.substring(0, equals), text.substring(equals + 1));
            }
        }
        return labels;
    }
}
