package io.parley.proxy.route;

import io.parley.proxy.http.Cors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a browser is told about pages of other sites (the Fetch standard's CORS protocol). */
public final class CorsRules {
    private static final String ALLOWED = "access-control-allow-origin";

    private CorsRules() {}

    /** Whether a request asks beforehand whether another may be made. */
    public static boolean isPreflight(RequestView request) {
        return request.method().equals("OPTIONS")
                && request.field("origin") != null
                && request.field("access-control-request-method") != null;
    }

    /** The fields of the answer to a preflight; none of CORS if the origin is not allowed. */
    public static Map<String, String> preflight(Cors cors, RequestView request) {
        Map<String, String> fields = new LinkedHashMap<>(answer(cors, request.field("origin")));
        if (!fields.containsKey(ALLOWED)) {
            return fields;
        }
        fields.remove("access-control-expose-headers");
        put(
                fields,
                "access-control-allow-methods",
                list(cors.methods(), request.field("access-control-request-method"), cors));
        put(
                fields,
                "access-control-allow-headers",
                list(cors.requestFields(), request.field("access-control-request-headers"), cors));
        if (cors.maxAge() != null) {
            fields.put("access-control-max-age", Long.toString(cors.maxAge().toSeconds()));
        }
        return fields;
    }

    /** The fields that are added to an answer; none of CORS if the origin is not allowed. */
    public static Map<String, String> answer(Cors cors, @Nullable String origin) {
        Map<String, String> fields = new LinkedHashMap<>();
        // Also without an origin, or a cache would give that answer to those who have one.
        fields.put("vary", "Origin");
        if (origin != null && cors.origins().stream().anyMatch(match -> match.matches(origin))) {
            // The origin itself, never *: with credentials a browser takes nothing else.
            fields.put(ALLOWED, origin);
            if (cors.credentials() == Cors.Credentials.ALLOWED) {
                fields.put("access-control-allow-credentials", "true");
            }
            put(fields, "access-control-expose-headers", String.join(", ", cors.exposedFields()));
        }
        return fields;
    }

    /** With credentials, a browser does not take {@code *} for everything: it is told what it asked for. */
    private static String list(List<String> allowed, @Nullable String asked, Cors cors) {
        boolean all = allowed.contains("*");
        return all && cors.credentials() == Cors.Credentials.ALLOWED && asked != null
                ? asked
                : String.join(", ", allowed);
    }

    private static void put(Map<String, String> fields, String name, String value) {
        if (!value.isEmpty()) {
            fields.put(name, value);
        }
    }
}
