package io.parley.proxy.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a header field or on a query parameter.
 *
 * @param name of a header field: in lower case
 * @param sense whether it must be fulfilled, or how it must not
 */
public record FieldMatch(String name, TextMatch match, Sense sense) {
    /** Which outcome is wanted. */
    public enum Sense {
        IS,

        /** It has another value, or there is none. */
        IS_NOT,

        /** There is one, and it has another value. */
        IS_OTHER
    }

    /** On a header field, whose names are the same in capitals. */
    public static FieldMatch header(String name, TextMatch match, Sense sense) {
        return new FieldMatch(name.toLowerCase(Locale.ROOT), match, sense);
    }

    /**
     * Whether a request fulfils it.
     *
     * @param value null if the request has none
     */
    public boolean isFulfilledBy(@Nullable String value) {
        boolean matched = value != null && match.matches(value);
        return switch (sense) {
            case IS -> matched;
            case IS_NOT -> !matched;
            case IS_OTHER -> value != null && !matched;
        };
    }
}
