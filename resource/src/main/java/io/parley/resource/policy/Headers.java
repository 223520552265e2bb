package io.parley.resource.policy;

import io.parley.resource.read.Field;
import io.parley.resource.read.WireText;

/** Names of HTTP headers. */
public final class Headers {
    private Headers() {}

    public static String name(Field field) {
        return field.requireText("the name of a header", WireText::isToken);
    }
}
