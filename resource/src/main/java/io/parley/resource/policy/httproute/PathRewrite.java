package io.parley.resource.policy.httproute;

import io.parley.resource.read.Choices;
import io.parley.resource.read.Fields;
import io.parley.resource.read.WireText;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Another path: all of it, or the prefix that the route matched. */
public record PathRewrite(Type type, String value) {
    /** What is replaced. */
    public enum Type {
        REPLACE_FULL_PATH,
        REPLACE_PREFIX_MATCH
    }

    private static final Choices<Type> TYPES = Choices.camelCase(Type.class);
    private static final Pattern HOSTNAME =
            Pattern.compile("(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern IP_ADDRESS = Pattern.compile("[0-9.]+");

    static PathRewrite read(Fields fields, boolean byPrefix) {
        return switch (fields.at("type").requireChoice(TYPES)) {
            case REPLACE_FULL_PATH -> {
                fields.refuse("replacePrefixMatch", "the type is ReplaceFullPath");
                yield new PathRewrite(
                        Type.REPLACE_FULL_PATH,
                        fields.at("replaceFullPath")
                                .requireText("a path such as /a", text -> !text.isEmpty() && WireText.isPath(text)));
            }
            case REPLACE_PREFIX_MATCH -> {
                fields.refuse("replaceFullPath", "the type is ReplacePrefixMatch");
                if (!byPrefix) {
                    fields.fail("replacePrefixMatch", "not allowed here (not all matches are of type PathPrefix)");
                }
                yield new PathRewrite(
                        Type.REPLACE_PREFIX_MATCH,
                        fields.at("replacePrefixMatch").requireText("a path such as /a, or nothing", WireText::isPath));
            }
        };
    }

    /** Another host, by name. */
    static @Nullable String hostname(Fields fields) {
        return fields.at("hostname").text("a host name, not an IP address", PathRewrite::isHostname);
    }

    private static boolean isHostname(String text) {
        return HOSTNAME.matcher(text).matches() && !IP_ADDRESS.matcher(text).matches();
    }
}
