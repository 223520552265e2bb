package io.parley.proxy.http;

import com.google.re2j.Pattern;

/** Which paths. A query is never part of what is matched. */
public sealed interface PathMatch {
    /** This path. */
    record Exact(String path) implements PathMatch {}

    /** Paths that begin so, letter by letter. */
    record Prefix(String prefix) implements PathMatch {}

    /** Paths that begin with these segments: {@code /a} is for {@code /a} and {@code /a/b}, not for {@code /ab}. */
    record Segments(String prefix) implements PathMatch {
        public Segments {
            prefix = prefix.length() > 1 && prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
        }
    }

    /** Paths that match as a whole, in time linear in their length. */
    record Regex(Pattern pattern) implements PathMatch {}
}
