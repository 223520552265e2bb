package io.parley.resource.read;

import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/**
 * What the grammars of HTTP let stand in a message. Heads are written from values that have passed here: a line break in one
 * would end its field and begin another, or another message.
 */
public final class WireText {
    // RFC 9110 5.6.2. A method, a field name and, by RFC 6265 4.1.1, a cookie's name are tokens.
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+\\-.^_`|~]{1,256}");
    // RFC 6454 6.2, with asterisks as the Gateway API has them.
    private static final Pattern ORIGIN =
            Pattern.compile("\\*|[A-Za-z][A-Za-z0-9+\\-.]{0,31}://[A-Za-z0-9*._\\-\\[\\]:]{1,255}");
    private static final String UNRESERVED_MARKS = "-._~";
    private static final String SUB_DELIMS = "!$&'()*+,;=";

    private WireText() {}

    public static boolean isToken(String text) {
        return TOKEN.matcher(text).matches();
    }

    /** RFC 9110 5.5: blanks at its ends are no part of a value. What is above Latin-1 is not for all to read. */
    public static boolean isFieldValue(String text) {
        return text.equals(text.strip()) && text.chars().allMatch(WireText::isPrintable);
    }

    private static boolean isPrintable(int c) {
        return c == '\t' || (c >= ' ' && c != 0x7f && c <= 0xff);
    }

    /** RFC 3986 3.3: the characters of a path, which need not begin with a slash; maybe none at all. */
    public static boolean isPath(String text) {
        return isEscaped(text, WireText::isPathCharacter);
    }

    public static boolean isAbsolutePath(String text) {
        return text.startsWith("/") && isPath(text);
    }

    /** A path, and perhaps a query (RFC 3986 3.4). */
    public static boolean isTarget(String text) {
        return text.startsWith("/") && isEscaped(text, c -> c == '?' || isPathCharacter(c));
    }

    /** RFC 3986 3.2, without who asks. */
    public static boolean isAuthority(String text) {
        return !text.isEmpty()
                && isEscaped(text, c -> isUnreserved(c) || SUB_DELIMS.indexOf(c) >= 0 || ":[]".indexOf(c) >= 0);
    }

    /** Whom an answer is for, or {@code *}. */
    public static boolean isOrigin(String text) {
        return ORIGIN.matcher(text).matches();
    }

    private static boolean isPathCharacter(int c) {
        return isUnreserved(c) || SUB_DELIMS.indexOf(c) >= 0 || "/:@".indexOf(c) >= 0;
    }

    private static boolean isUnreserved(int c) {
        return isAlphanumeric(c) || UNRESERVED_MARKS.indexOf(c) >= 0;
    }

    /** Nothing but what is allowed, and percent signs with two digits. By hand: a pattern calls itself for each character. */
    private static boolean isEscaped(String text, IntPredicate allowed) {
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '%' && at + 2 < text.length() && isHex(text.charAt(at + 1)) && isHex(text.charAt(at + 2))) {
                at += 2;
            } else if (!allowed.test(c)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAlphanumeric(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    private static boolean isHex(int c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    }
}
