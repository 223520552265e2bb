package io.parley.resource.gateway;

import io.parley.resource.read.Field;
import io.parley.resource.read.IntRange;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Texts and lists as the Gateway API limits them. */
final class Texts {
    private static final String LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
    private static final Pattern LABEL_ONLY = Pattern.compile(LABEL);
    private static final Pattern HOSTNAME = Pattern.compile("(?=.{1,253}$)" + LABEL + "(\\." + LABEL + ")*");
    private static final Pattern IP_ADDRESS = Pattern.compile("[0-9.]+");
    private static final Pattern SECTION =
            Pattern.compile("(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private Texts() {}

    static boolean isLabel(String text) {
        return LABEL_ONLY.matcher(text).matches();
    }

    /** A host name, {@code *.} before it allowed. */
    static boolean isHostname(String text) {
        return isPreciseHostname(text.startsWith("*.") ? text.substring(2) : text);
    }

    static boolean isPreciseHostname(String text) {
        return HOSTNAME.matcher(text).matches() && !IP_ADDRESS.matcher(text).matches();
    }

    static @Nullable String preciseHostname(Field field) {
        return field.text("a host name, neither an IP address nor with *", Texts::isPreciseHostname);
    }

    static @Nullable String hostname(Field field) {
        return field.text("a host name, with *. before it at most, and not an IP address", Texts::isHostname);
    }

    static @Nullable String section(Field field) {
        return field.text(
                "a name of lower case letters, digits, '-' and '.'",
                text -> SECTION.matcher(text).matches());
    }

    static String orElse(@Nullable String text, String absent) {
        return text == null ? absent : text;
    }

    static int orElse(@Nullable Integer number, int absent) {
        return number == null ? absent : number;
    }

    static <T> List<T> atMost(int most, Field field, List<T> items) {
        if (items.size() > most) {
            field.fail(items.size() + " items (expected: at most " + most + ")");
        }
        return items;
    }

    static @Nullable Integer port(Field field) {
        return field.integer(IntRange.PORT);
    }
}
