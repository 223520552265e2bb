package io.parley.resource.read;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * How large an expression gets when RE2 compiles it, never too low, and found without compiling it. RE2 writes every counted
 * repetition out, and nested counts multiply: {@code ((a{1000,}){1000,}){1000,}} would take all memory there is.
 *
 * <p>Follows the syntax of <a href="https://github.com/google/re2/wiki/Syntax">RE2</a> just far enough to know what a count
 * repeats. What RE2 does not parse at all may get any size, as it is never compiled.
 */
final class RegexSize {
    /** A program's first instruction, which fails, and its last, which matches. */
    private static final int FRAME = 2;

    private static final int COUNT_DIGITS = 8;
    private static final String LARGE = "1".repeat(COUNT_DIGITS);
    private static final int UNBOUNDED = -1;

    private final String text;
    private final Deque<Group> groups = new ArrayDeque<>();
    private Group group = new Group(0);
    private int at;

    private RegexSize(String text) {
        this.text = text;
    }

    static RegexPart of(String expression) {
        RegexPart whole = new RegexSize(expression).read();
        return new RegexPart(whole.instructions() + FRAME, whole.height());
    }

    private RegexPart read() {
        while (at < text.length()) {
            readNext();
        }
        while (!groups.isEmpty()) {
            close();
        }
        return group.whole();
    }

    private void readNext() {
        char next = text.charAt(at++);
        switch (next) {
            case '(' -> open();
            case ')' -> close();
            case '|' -> group.nextBranch();
            case '[' -> readClass();
            case '\\' -> readEscape();
            case '*' -> group.repeatLast(0, UNBOUNDED);
            case '+' -> group.repeatLast(1, UNBOUNDED);
            case '?' -> group.repeatLast(0, 1);
            case '{' -> readCount();
            default -> group.add(RegexPart.CHARACTER);
        }
    }

    /** Flags alone, {@code (?i)}, are no part: a count behind them repeats what stands before them. */
    private void open() {
        int captures = 2;
        if (text.startsWith("?", at)) {
            boolean named = text.startsWith("?P<", at) || text.startsWith("?<", at);
            at = behindAny(named ? ">" : ":)");
            if (text.charAt(at - 1) == ')') {
                return;
            }
            captures = named ? captures : 0;
        }
        groups.push(group);
        group = new Group(captures);
    }

    private void close() {
        Group closed = group;
        if (!groups.isEmpty()) {
            group = groups.pop();
            group.add(closed.whole());
        }
    }

    /** One instruction, whatever stands in it. A bracket that comes first is one of its characters. */
    private void readClass() {
        at += text.startsWith("^", at) ? 1 : 0;
        at += text.startsWith("]", at) ? 1 : 0;
        while (at < text.length() && text.charAt(at) != ']') {
            int named = text.startsWith("[:", at) ? text.indexOf(":]", at + 2) : -1;
            if (named >= 0) {
                at = named + 2;
            } else {
                at += text.charAt(at) == '\\' ? 2 : 1;
            }
        }
        at = Math.min(at + 1, text.length());
        group.add(RegexPart.CHARACTER);
    }

    private void readEscape() {
        if (text.startsWith("Q", at)) {
            int end = text.indexOf("\\E", at);
            int literals = (end < 0 ? text.length() : end) - at - 1;
            at = end < 0 ? text.length() : end + 2;
            for (int read = 0; read < literals; read++) {
                group.add(RegexPart.CHARACTER);
            }
            return;
        }
        // The braces of \x{10FFFF} and \p{Greek} are no counts.
        boolean braced = text.startsWith("x{", at) || text.startsWith("p{", at) || text.startsWith("P{", at);
        at = braced ? behindAny("}") : Math.min(at + 1, text.length());
        group.add(RegexPart.CHARACTER);
    }

    /** Braces that hold no count, as {@code {,3}} and {@code {03}}, stand for themselves. */
    private void readCount() {
        int close = text.indexOf('}', at);
        String counts = close < 0 ? "" : text.substring(at, close);
        int comma = counts.indexOf(',');
        Integer least = count(comma < 0 ? counts : counts.substring(0, comma));
        String last = counts.substring(comma + 1);
        Integer most = comma >= 0 && last.isEmpty() ? Integer.valueOf(UNBOUNDED) : count(last);
        if (least == null || most == null) {
            group.add(RegexPart.CHARACTER);
        } else {
            at = close + 1;
            group.repeatLast(least, most);
        }
    }

    private static @Nullable Integer count(String digits) {
        boolean counts = !digits.isEmpty() && digits.chars().allMatch(digit -> digit >= '0' && digit <= '9');
        if (!counts || (digits.length() > 1 && digits.startsWith("0"))) {
            return null;
        }
        return Integer.valueOf(digits.length() > COUNT_DIGITS ? LARGE : digits);
    }

    private int behindAny(String ends) {
        int end = at;
        while (end < text.length() && ends.indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return Math.min(end + 1, text.length());
    }

    /** What stands between two parentheses, as far as it is read. */
    private static final class Group {
        private final int captures;
        private RegexPart branches = RegexPart.NOTHING;
        private RegexPart before = RegexPart.NOTHING;
        private RegexPart last = RegexPart.NOTHING;

        Group(int captures) {
            this.captures = captures;
        }

        void add(RegexPart part) {
            before = before.and(last);
            last = part;
        }

        void repeatLast(int least, int most) {
            last = most == UNBOUNDED ? last.repeated(least) : last.repeated(least, most);
        }

        void nextBranch() {
            branches = branches.and(branch()).and(RegexPart.CHARACTER);
            before = RegexPart.NOTHING;
            last = RegexPart.NOTHING;
        }

        RegexPart whole() {
            return branches.and(branch()).within(captures);
        }

        private RegexPart branch() {
            return before.and(last).orEmpty();
        }
    }
}
