package io.parley.resource.gateway;

import io.parley.resource.Result;
import io.parley.resource.gateway.RouteFilter.PathChange;
import io.parley.resource.policy.HeaderModifier;
import io.parley.resource.read.Choices;
import io.parley.resource.read.DurationRange;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import io.parley.resource.read.WireText;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads filters where they are allowed. */
final class FilterReader {
    private enum Type {
        REQUEST_HEADER_MODIFIER("RequestHeaderModifier"),
        RESPONSE_HEADER_MODIFIER("ResponseHeaderModifier"),
        REQUEST_MIRROR("RequestMirror"),
        REQUEST_REDIRECT("RequestRedirect"),
        URL_REWRITE("URLRewrite"),
        CORS("CORS"),
        EXTERNAL_AUTH("ExternalAuth"),
        EXTENSION_REF("ExtensionRef");

        private final String word;

        Type(String word) {
            this.word = word;
        }

        /** {@code RequestMirror} stands in {@code requestMirror}, {@code URLRewrite} in {@code urlRewrite}. */
        private String field() {
            return switch (this) {
                case URL_REWRITE -> "urlRewrite";
                case CORS -> "cors";
                default -> Character.toLowerCase(word.charAt(0)) + word.substring(1);
            };
        }
    }

    private static final int LONGEST_PATH = 1024;
    private static final String PATH = "a path such as /a, of at most " + LONGEST_PATH + " characters";
    private static final String HEADER = "the name of a header, or *";
    private static final Set<Type> MANY = EnumSet.of(Type.REQUEST_MIRROR, Type.EXTENSION_REF);
    private static final Choices<PathChange.Part> PARTS = Choices.camelCase(PathChange.Part.class);
    private static final List<Integer> REDIRECTS = List.of(301, 302, 303, 307, 308);

    private final Choices<Type> types;
    private final boolean byPrefix;

    private FilterReader(Set<Type> allowed, boolean byPrefix) {
        this.types = Choices.by(allowed, type -> type.word);
        this.byPrefix = byPrefix;
    }

    static FilterReader http(List<HttpMatch> matches) {
        boolean onePrefix = matches.size() == 1 && matches.getFirst().path().type() == HttpMatch.PathType.PATH_PREFIX;
        return new FilterReader(EnumSet.allOf(Type.class), onePrefix);
    }

    static FilterReader grpc() {
        return new FilterReader(
                EnumSet.of(
                        Type.REQUEST_HEADER_MODIFIER,
                        Type.RESPONSE_HEADER_MODIFIER,
                        Type.REQUEST_MIRROR,
                        Type.EXTENSION_REF),
                false);
    }

    List<RouteFilter> readRule(Field field) {
        List<RouteFilter> filters = readAll(field);
        if (filters.stream().anyMatch(RouteFilter.Redirect.class::isInstance)
                && filters.stream().anyMatch(RouteFilter.UrlRewrite.class::isInstance)) {
            field.fail("RequestRedirect and URLRewrite (expected: at most one of them)");
        }
        return filters;
    }

    List<RouteFilter> readBackend(Field field) {
        List<RouteFilter> filters = readAll(field);
        if (filters.stream().anyMatch(RouteFilter.Redirect.class::isInstance)) {
            field.fail("RequestRedirect (expected: a filter of the rule, not of a backend)");
        }
        return filters;
    }

    private List<RouteFilter> readAll(Field field) {
        Set<Type> seen = EnumSet.noneOf(Type.class);
        return HttpRule.limited(field, field.list(item -> readOne(item, seen)));
    }

    /** One that is stored and would not be let in today makes its rule unfit, and no other. */
    private RouteFilter readOne(Field item, Set<Type> seen) {
        Function<Field, RouteFilter> reader = field -> field.requireObject(fields -> read(fields, seen));
        if (!item.isStored()) {
            return reader.apply(item);
        }
        return switch (item.apart(reader)) {
            case Result.Accepted<RouteFilter>(RouteFilter filter) -> filter;
            case Result.Rejected<RouteFilter>(var violations) -> RuleParts.unfit(violations);
        };
    }

    private RouteFilter read(Fields fields, Set<Type> seen) {
        return fields.requireByType(types, Type::field, (type, inner) -> {
            if (!seen.add(type) && !MANY.contains(type)) {
                fields.fail("type", type.word + " again (expected: each kind of filter once)");
            }
            return switch (type) {
                case REQUEST_HEADER_MODIFIER -> new RouteFilter.RequestHeaders(HeaderModifier.read(inner));
                case RESPONSE_HEADER_MODIFIER -> new RouteFilter.ResponseHeaders(HeaderModifier.read(inner));
                case REQUEST_MIRROR -> mirror(inner);
                case REQUEST_REDIRECT -> redirect(inner);
                case URL_REWRITE ->
                    new RouteFilter.UrlRewrite(
                            Texts.preciseHostname(inner.at("hostname")),
                            inner.at("path").object(this::path));
                case CORS -> cors(inner);
                case EXTERNAL_AUTH, EXTENSION_REF -> {
                    var _ = inner.rest();
                    yield new RouteFilter.Foreign(type.word);
                }
            };
        });
    }

    private RouteFilter.Redirect redirect(Fields fields) {
        Integer code = fields.at("statusCode").integer(IntRange.HTTP_STATUS);
        if (code != null && !REDIRECTS.contains(code)) {
            fields.fail("statusCode", code + " (expected: one of 301, 302, 303, 307, 308)");
        }
        return new RouteFilter.Redirect(
                fields.at("scheme").text("http or https", Set.of("http", "https")::contains),
                Texts.preciseHostname(fields.at("hostname")),
                fields.at("path").object(this::path),
                Texts.port(fields.at("port")),
                Texts.orElse(code, 302));
    }

    private PathChange path(Fields fields) {
        return switch (fields.at("type").requireChoice(PARTS)) {
            case REPLACE_FULL_PATH -> {
                fields.refuse("replacePrefixMatch", "the type is ReplaceFullPath");
                yield new PathChange(
                        PathChange.Part.REPLACE_FULL_PATH,
                        fields.at("replaceFullPath").requireText(PATH, FilterReader::isPath));
            }
            case REPLACE_PREFIX_MATCH -> {
                fields.refuse("replaceFullPath", "the type is ReplacePrefixMatch");
                if (!byPrefix) {
                    fields.fail("type", "not allowed here (expected: a rule with one match, of type PathPrefix)");
                }
                yield new PathChange(
                        PathChange.Part.REPLACE_PREFIX_MATCH,
                        fields.at("replacePrefixMatch").requireText(PATH, FilterReader::isPath));
            }
        };
    }

    private static boolean isPath(String text) {
        return text.length() <= LONGEST_PATH && WireText.isPath(text);
    }

    private static RouteFilter.Mirror mirror(Fields fields) {
        fields.allowOneOf("percent", "fraction");
        BackendRef backend = fields.at("backendRef").requireObject(BackendRef::readUnweighted);
        Integer percent = fields.at("percent").integer(IntRange.PERCENT);
        int[] fraction = fields.at("fraction").object(FilterReader::fraction);
        return fraction != null
                ? new RouteFilter.Mirror(backend, fraction[0], fraction[1])
                : new RouteFilter.Mirror(backend, Texts.orElse(percent, 100), 100);
    }

    private static int[] fraction(Fields fields) {
        int numerator = fields.at("numerator").requireInteger(IntRange.NOT_NEGATIVE);
        int denominator = Texts.orElse(fields.at("denominator").integer(IntRange.ABOVE_ZERO), 100);
        if (numerator > denominator) {
            fields.fail("numerator", numerator + " (expected: at most the denominator, " + denominator + ")");
        }
        return new int[] {numerator, denominator};
    }

    private static RouteFilter.Cors cors(Fields fields) {
        Integer maxAge = fields.at("maxAge").integer(IntRange.ABOVE_ZERO);
        return new RouteFilter.Cors(
                words(fields.at("allowOrigins"), 64, "an origin such as https://a.example, or *", WireText::isOrigin),
                fields.at("allowCredentials").flagOr(false),
                words(fields.at("allowMethods"), 9, "a method, or *", WireText::isToken),
                words(fields.at("allowHeaders"), 64, HEADER, WireText::isToken),
                words(fields.at("exposeHeaders"), 64, HEADER, WireText::isToken),
                Duration.ofSeconds(Texts.orElse(maxAge, 5)));
    }

    private static List<String> words(Field field, int most, String expected, Predicate<String> rule) {
        return Texts.atMost(most, field, field.list(word -> word.requireText(expected, rule)));
    }

    /** Where a duration may be zero. */
    static @Nullable Duration duration(Field field) {
        return field.duration(DurationRange.NOT_NEGATIVE);
    }
}
