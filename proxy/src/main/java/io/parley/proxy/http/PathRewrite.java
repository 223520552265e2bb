package io.parley.proxy.http;

import com.google.re2j.Pattern;

/** What becomes of a path. The query stays. */
public sealed interface PathRewrite {
    /** Nothing. */
    record None() implements PathRewrite {}

    /** The matched prefix is replaced by this one, letter by letter. */
    record Prefix(String replacement) implements PathRewrite {}

    /** The matched segments are replaced by these; never leaves an empty path or two slashes in a row. */
    record Segments(String replacement) implements PathRewrite {}

    /** The whole path is replaced. */
    record Whole(String path) implements PathRewrite {}

    /**
     * Every match is replaced.
     *
     * @param substitution with {@code \1} for what the first group matched
     */
    record Regex(Pattern pattern, String substitution) implements PathRewrite {}
}
