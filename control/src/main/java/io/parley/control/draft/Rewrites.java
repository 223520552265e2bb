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
        return substitute("^/.*$", path.replace("\\", "\\\\"));
    }

    /**
     * Something else in the place of a prefix. If nothing is left of it a pattern must do it: {@code /foo/bar} without {@code /foo} is
     * {@code /bar}, never {@code //bar}, and {@code /foo} is {@code /}.
     */
    public static void prefix(
            String prefix, String by, Consumer<String> asPrefix, Consumer<RegexMatchAndSubstitute> asPattern) {
        if (by.isEmpty() || by.equals("/")) {
            String removed = prefix.equals("/") ? "" : "\\Q" + prefix + "\\E";
            asPattern.accept(substitute("^" + removed + "/*(.*)", "/\\1"));
        } else {
            // "/xyz/" put before "/bar" is "/xyz/bar".
            asPrefix.accept(by.endsWith("/") ? by.substring(0, by.length() - 1) : by);
        }
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
