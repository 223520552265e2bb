package io.parley.resource.policy;

import io.parley.resource.read.Field;
import java.util.regex.Pattern;

/** Names of HTTP headers. */
final class Headers {
    // RFC 9110 5.1: a field name is a token.
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+\\-.^_`|~]{1,256}");

    private Headers() {}

    static String name(Field field) {
        return field.requireText(
                "the name of a header", text -> TOKEN.matcher(text).matches());
    }
}
