package io.parley.control.draft;

import io.envoyproxy.envoy.config.route.v3.RedirectAction.RedirectResponseCode;
import io.envoyproxy.envoy.type.matcher.v3.RegexMatchAndSubstitute;
import java.util.function.Consumer;

/** Other paths, and how clients are sent to them: the words are the same for routes and for redirects. */
public final class Rewrites {
    private Rewrites() {}

    /** Another path, whatever it was. */
    public static RegexMatchAndSubstitute wholePath(String path) {
        // A backslash means something in a substitution.
        return substitute("^/.*$", rooted(path).replace("\\", "\\\\"));
    }

    /**
     * Something else in the place of a prefix. If nothing is left of it a pattern must do it: {@code /foo/bar} without {@code /foo} is
     * {@code /bar}, never {@code //bar}, and {@code /foo} is {@code /}.
     */
    public static void prefix(
            String prefix, String by, Consumer<String> asPrefix, Consumer<RegexMatchAndSubstitute> asPattern) {
        String root = rooted(by);
        if (root.equals("/")) {
            String removed = prefix.equals("/") ? "" : "\\Q" + prefix + "\\E";
            asPattern.accept(substitute("^" + removed + "/*(.*)", "/\\1"));
        } else {
            String front = root.endsWith("/") ? root.substring(0, root.length() - 1) : root;
            // "/xyz/" put before "/bar" is "/xyz/bar"; the prefix "/" is the slash of "/bar" itself.
            asPrefix.accept(prefix.equals("/") ? front + "/" : front);
        }
    }

    /** A path begins with a slash, whatever was written. */
    public static String rooted(String path) {
        return path.startsWith("/") ? path : "/" + path;
    }

    private static RegexMatchAndSubstitute substitute(String pattern, String substitution) {
        return RegexMatchAndSubstitute.newBuilder()
                .setPattern(HeaderMatchers.regex(pattern))
                .setSubstitution(substitution)
                .build();
    }

    /** A status that sends clients elsewhere, as Envoy names it. */
    public static RedirectResponseCode code(int status) {
        return switch (status) {
            case 301 -> RedirectResponseCode.MOVED_PERMANENTLY;
            case 303 -> RedirectResponseCode.SEE_OTHER;
            case 307 -> RedirectResponseCode.TEMPORARY_REDIRECT;
            case 308 -> RedirectResponseCode.PERMANENT_REDIRECT;
            default -> RedirectResponseCode.FOUND;
        };
    }
}
