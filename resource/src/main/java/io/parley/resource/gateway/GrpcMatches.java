package io.parley.resource.gateway;

import io.parley.resource.gateway.HttpMatch.PathMatch;
import io.parley.resource.gateway.HttpMatch.PathType;
import io.parley.resource.read.Choices;
import io.parley.resource.read.Fields;
import io.parley.resource.read.Regexes;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Picks calls. A call is a request to {@code /SERVICE/METHOD}, so it is picked by path. */
final class GrpcMatches {
    private enum Type {
        EXACT,
        REGULAR_EXPRESSION
    }

    private static final Choices<Type> TYPES = Choices.camelCase(Type.class);
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]{0,1023}");

    private GrpcMatches() {}

    static HttpMatch read(Fields fields) {
        PathMatch path = fields.at("method").object(GrpcMatches::method);
        return new HttpMatch(
                path == null ? HttpMatch.ROOT : path, null, HttpMatch.headers(fields.at("headers")), List.of());
    }

    private static PathMatch method(Fields fields) {
        Type type = fields.at("type").choiceOr(Type.EXACT, TYPES);
        fields.needAnyOf("service", "method");
        return switch (type) {
            case EXACT -> exact(name(fields, "service"), name(fields, "method"));
            case REGULAR_EXPRESSION -> pattern(fields, regex(fields, "service"), regex(fields, "method"));
        };
    }

    private static PathMatch exact(@Nullable String service, @Nullable String method) {
        if (service != null && method != null) {
            return new PathMatch(PathType.EXACT, "/" + service + "/" + method);
        }
        return service != null
                ? new PathMatch(PathType.PATH_PREFIX, "/" + service)
                : new PathMatch(PathType.REGULAR_EXPRESSION, "/[^/]+/" + (method == null ? "" : quoted(method)));
    }

    /** Two expressions may be too large together that are not by themselves. */
    private static PathMatch pattern(Fields fields, @Nullable String service, @Nullable String method) {
        String path = "/(?:" + Texts.orElse(service, "[^/]+") + ")/(?:" + Texts.orElse(method, "[^/]+") + ")";
        String fault = Regexes.fault(path);
        if (fault != null) {
            fields.fail("service and method together: " + path + " (expected: " + fault + ")");
        }
        return new PathMatch(PathType.REGULAR_EXPRESSION, path);
    }

    private static @Nullable String name(Fields fields, String field) {
        return fields.at(field)
                .text(
                        "a name of gRPC, such as helloworld.Greeter",
                        text -> NAME.matcher(text).matches());
    }

    private static @Nullable String regex(Fields fields, String field) {
        return fields.has(field)
                ? fields.at(field).requirePattern()
                : fields.at(field).text();
    }

    /** Names have nothing that a pattern would take for more than itself, but for the dot. */
    private static String quoted(String name) {
        return name.replace(".", "\\.");
    }
}
