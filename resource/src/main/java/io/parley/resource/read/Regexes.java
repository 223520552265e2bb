package io.parley.resource.read;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Regular expressions of strangers. RE2 matches in linear time, but writes counted repetitions out and calls itself for what is
 * nested, and has no limit for either: programs are kept small here, and nothing is compiled before its size is known.
 */
public final class Regexes {
    /** Some 600 kB of memory. */
    public static final int MOST_INSTRUCTIONS = 10_000;

    /** Half of an ordinary stack of a mebibyte. {@code x{0,500}} takes 1,000, {@code x{1000}} takes 1. */
    public static final int MOST_HEIGHT = 1_050;

    private Regexes() {}

    /** What was expected instead of the expression, or null if it is fine and may be compiled. */
    public static @Nullable String fault(String expression) {
        RegexPart size = RegexSize.of(expression);
        if (size.instructions() > MOST_INSTRUCTIONS) {
            return "a regular expression of RE2 syntax that takes at most " + MOST_INSTRUCTIONS
                    + " instructions with its repetitions written out";
        }
        if (size.height() > MOST_HEIGHT) {
            return "a regular expression of RE2 syntax whose groups and counts are nested less deep";
        }
        try {
            var _ = Pattern.compile(expression);
            return null;
        } catch (PatternSyntaxException e) {
            return "a regular expression of RE2 syntax: " + e.getDescription();
        }
    }
}
