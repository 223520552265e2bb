package io.parley.resource.read;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/** Regular expressions of strangers. RE2 matches in linear time; its programs are kept small too. */
final class Regexes {
    private static final int LONGEST = 1024;

    private Regexes() {}

    static boolean isSafe(String expression) {
        if (expression.isEmpty() || expression.length() > LONGEST || unrolled(expression) > LONGEST * 10L) {
            return false;
        }
        try {
            var _ = Pattern.compile(expression);
            return true;
        } catch (PatternSyntaxException _) {
            return false;
        }
    }

    /**
     * At most how long the expression gets when every counted repetition is written out, which is what RE2 does: nested counts
     * multiply, so {@code ((a{1000}){1000}){1000}} would take all memory there is.
     */
    private static long unrolled(String expression) {
        long length = expression.length();
        for (int open = expression.indexOf('{'); open >= 0; open = expression.indexOf('{', open + 1)) {
            int close = expression.indexOf('}', open);
            String counts = close < 0 ? "" : expression.substring(open + 1, close);
            if (counts.matches("[0-9]{1,4}(,[0-9]{0,4})?")) {
                String most = counts.substring(counts.indexOf(',') + 1);
                length = Math.min(Integer.MAX_VALUE, length * Math.max(1, most.isEmpty() ? 1 : Integer.parseInt(most)));
            }
        }
        return length;
    }
}
