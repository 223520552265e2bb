package io.parley.resource.policy.httproute;

import io.parley.resource.policy.HeaderMatch;
import io.parley.resource.read.Choices;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.WireText;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Picks requests; all that is given must fit. */
public record RequestMatch(
        @Nullable PathMatch path, @Nullable String method, List<QueryMatch> queryParams, List<HeaderMatch> headers) {
    /** How a path is compared. */
    public enum PathType {
        EXACT,
        /** Whole segments: {@code /a} is a prefix of {@code /a/b} and not of {@code /ab}. */
        PATH_PREFIX,
        REGULAR_EXPRESSION
    }

    /** How a query parameter is compared. */
    public enum QueryType {
        EXACT,
        REGULAR_EXPRESSION
    }

    /** Compares the path. */
    public record PathMatch(PathType type, String value) {}

    /** Compares a query parameter. */
    public record QueryMatch(QueryType type, String name, String value) {}

    private static final Choices<PathType> PATH_TYPES = Choices.camelCase(PathType.class);
    private static final Choices<QueryType> QUERY_TYPES = Choices.camelCase(QueryType.class);
    private static final List<String> METHODS =
            List.of("CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE");

    static RequestMatch read(Fields fields) {
        Field queryParams = fields.at("queryParams");
        Set<String> names = new HashSet<>();
        return new RequestMatch(
                fields.at("path").object(RequestMatch::path),
                fields.at("method").text("one of " + String.join(", ", METHODS), METHODS::contains),
                queryParams.objects(query -> query(query, names)),
                fields.at("headers").objects(HeaderMatch::read));
    }

    boolean isByPrefix() {
        return path != null && path.type == PathType.PATH_PREFIX;
    }

    private static PathMatch path(Fields fields) {
        PathType type = fields.at("type").requireChoice(PATH_TYPES);
        Field value = fields.at("value");
        return new PathMatch(
                type,
                switch (type) {
                    case EXACT -> value.requireText("an absolute path such as /a", WireText::isAbsolutePath);
                    case PATH_PREFIX ->
                        value.requireText(
                                "an absolute path without a slash at its end, such as /a, or /",
                                path -> path.equals("/") || (WireText.isAbsolutePath(path) && !path.endsWith("/")));
                    case REGULAR_EXPRESSION -> value.requirePattern();
                });
    }

    private static QueryMatch query(Fields fields, Set<String> names) {
        QueryType type = fields.at("type").requireChoice(QUERY_TYPES);
        String name = fields.at("name").requireText();
        if (!name.isEmpty() && !names.add(name)) {
            fields.fail("name", name + " again (expected: each parameter once)");
        }
        Field value = fields.at("value");
        return new QueryMatch(
                type, name, type == QueryType.EXACT ? value.requireText("text", text -> true) : value.requirePattern());
    }
}
