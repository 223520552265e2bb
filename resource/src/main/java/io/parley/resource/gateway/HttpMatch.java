package io.parley.resource.gateway;

import io.parley.resource.read.Choices;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.WireText;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Picks requests; all that is given must fit. Of a header or parameter that is given twice only the first counts. */
public record HttpMatch(PathMatch path, @Nullable String method, List<Named> headers, List<Named> query) {
    /** How a path is compared. */
    public enum PathType {
        EXACT,
        /** Whole segments. */
        PATH_PREFIX,
        REGULAR_EXPRESSION
    }

    /** How a value is compared. */
    public enum ValueType {
        EXACT,
        REGULAR_EXPRESSION
    }

    /** Compares the path. */
    public record PathMatch(PathType type, String value) {}

    /** Compares a header or a query parameter. */
    public record Named(ValueType type, String name, String value) {}

    static final PathMatch ROOT = new PathMatch(PathType.PATH_PREFIX, "/");
    static final HttpMatch ANY = new HttpMatch(ROOT, null, List.of(), List.of());

    private static final Choices<PathType> PATH_TYPES = Choices.camelCase(PathType.class);
    private static final Choices<ValueType> VALUE_TYPES = Choices.camelCase(ValueType.class);
    private static final List<String> METHODS =
            List.of("CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE");
    private static final Pattern FORBIDDEN_IN_PATH = Pattern.compile("//|/\\./|/\\.\\./|%2[fF]|#|/\\.\\.?$");
    private static final int MOST_NAMED = 16;
    private static final int LONGEST_PATH = 1024;

    public HttpMatch {
        headers = List.copyOf(headers);
        query = List.copyOf(query);
    }

    static HttpMatch read(Fields fields) {
        PathMatch path = fields.at("path").object(HttpMatch::path);
        return new HttpMatch(
                path == null ? ROOT : path,
                fields.at("method").text("one of " + String.join(", ", METHODS), METHODS::contains),
                headers(fields.at("headers")),
                named(fields.at("queryParams"), false));
    }

    static List<Named> headers(Field field) {
        return named(field, true);
    }

    private static PathMatch path(Fields fields) {
        PathType type = fields.at("type").choiceOr(PathType.PATH_PREFIX, PATH_TYPES);
        Field value = fields.at("value");
        if (!value.isPresent()) {
            return new PathMatch(type, "/");
        }
        return new PathMatch(
                type,
                switch (type) {
                    case EXACT -> value.requireText("an absolute path such as /a, in normal form", HttpMatch::isPath);
                    case PATH_PREFIX ->
                        withoutEnd(value.requireText("an absolute path such as /a, in normal form", HttpMatch::isPath));
                    case REGULAR_EXPRESSION -> value.requirePattern();
                });
    }

    /** {@code /a/} as a prefix means {@code /a}. */
    private static String withoutEnd(String path) {
        return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private static boolean isPath(String text) {
        return text.length() <= LONGEST_PATH
                && WireText.isAbsolutePath(text)
                && !FORBIDDEN_IN_PATH.matcher(text).find();
    }

    private static List<Named> named(Field field, boolean anyCase) {
        Set<String> seen = new HashSet<>();
        List<Named> all = Texts.atMost(MOST_NAMED, field, field.objects(HttpMatch::named));
        return all.stream()
                .filter(each -> seen.add(anyCase ? each.name().toLowerCase(Locale.ROOT) : each.name()))
                .toList();
    }

    private static Named named(Fields fields) {
        ValueType type = fields.at("type").choiceOr(ValueType.EXACT, VALUE_TYPES);
        String name = fields.at("name").requireText("a name as headers have it", WireText::isToken);
        Field value = fields.at("value");
        return new Named(
                type,
                name,
                type == ValueType.EXACT
                        ? value.requireText(
                                "text of 1 to 4096 characters", text -> !text.isEmpty() && text.length() <= 4096)
                        : value.requirePattern());
    }
}
