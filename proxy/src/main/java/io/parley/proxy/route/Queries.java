package io.parley.proxy.route;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads the parameters of a query. */
public final class Queries {
    private Queries() {}

    /** The first value of a parameter, decoded; null if there is none. A parameter without a value has the empty one. */
    public static @Nullable String first(String target, String name) {
        int at = target.indexOf('?') + 1;
        while (at > 0 && at < target.length()) {
            int and = target.indexOf('&', at);
            String pair = target.substring(at, and < 0 ? target.length() : and);
            int equals = pair.indexOf('=');
            if (decode(equals < 0 ? pair : pair.substring(0, equals)).equals(name)) {
                return equals < 0 ? "" : decode(pair.substring(equals + 1));
            }
            at = and < 0 ? -1 : and + 1;
        }
        return null;
    }

    private static String decode(String text) {
        if (text.indexOf('%') < 0 && text.indexOf('+') < 0) {
            return text;
        }
        try {
            return java.net.URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
