package io.parley.wire.http;

import io.netty.util.AsciiString;

/** Which bytes may stand where (RFC 9110 section 5, RFC 9112). */
public final class Octets {
    public static final byte CR = '\r';
    public static final byte LF = '\n';
    public static final byte SPACE = ' ';
    public static final byte TAB = '\t';

    private static final int TOKEN = 1;
    private static final int VALUE = 2;
    private static final int TARGET = 4;
    private static final int AUTHORITY = 8;
    private static final int WITHOUT_UNDERSCORE = 16;
    private static final int CAPITAL = 32;
    private static final byte[] CLASSES = classes();

    private Octets() {}

    private static byte[] classes() {
        byte[] classes = new byte[256];
        for (int b = 0; b < 256; b++) {
            boolean letterOrDigit = (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9');
            int token = letterOrDigit || (b < 128 && "!#$%&'*+-.^_`|~".indexOf(b) >= 0) ? TOKEN : 0;
            int value = b == TAB || (b >= 0x20 && b != 0x7f) ? VALUE : 0;
            // RFC 9112 3.2: no white space, no controls; a fragment is never sent.
            int target = b > 0x20 && b < 0x7f && b != '#' ? TARGET : 0;
            int authority = b > 0x20 && b < 0x7f && "/?#@\\,\"".indexOf(b) < 0 ? AUTHORITY : 0;
            int plain = token != 0 && b != '_' ? WITHOUT_UNDERSCORE : 0;
            int capital = b >= 'A' && b <= 'Z' ? CAPITAL : 0;
            classes[b] = (byte) (token | value | target | authority | plain | capital);
        }
        return classes;
    }

    public static boolean isToken(AsciiString text) {
        return !text.isEmpty() && allAre(TOKEN, text);
    }

    public static boolean isTokenWithoutUnderscore(AsciiString text) {
        return !text.isEmpty() && allAre(WITHOUT_UNDERSCORE, text);
    }

    /** Whether it is a name of HTTP/2, where there are no capitals (RFC 9113 section 8.2.1). */
    public static boolean isLowerToken(AsciiString text) {
        byte[] bytes = text.array();
        int end = text.arrayOffset() + text.length();
        for (int at = text.arrayOffset(); at < end; at++) {
            if ((CLASSES[bytes[at] & 0xff] & (TOKEN | CAPITAL)) != TOKEN) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /** Whether it is a value without white space around it. */
    public static boolean isTrimmedValue(AsciiString text) {
        return allAre(VALUE, text)
                && (text.isEmpty() || !(isSpace(text.byteAt(0)) || isSpace(text.byteAt(text.length() - 1))));
    }

    private static boolean isSpace(byte b) {
        return b == SPACE || b == TAB;
    }

    public static boolean isTarget(AsciiString text) {
        return allAre(TARGET, text);
    }

    public static boolean isAuthority(AsciiString text) {
        return allAre(AUTHORITY, text);
    }

    private static boolean allAre(int kind, AsciiString text) {
        byte[] bytes = text.array();
        int end = text.arrayOffset() + text.length();
        for (int at = text.arrayOffset(); at < end; at++) {
            if ((CLASSES[bytes[at] & 0xff] & kind) == 0) {
                return false;
            }
        }
        return true;
    }

    public static boolean isToken(byte b) {
        return (CLASSES[b & 0xff] & TOKEN) != 0;
    }

    public static boolean isValue(byte b) {
        return (CLASSES[b & 0xff] & VALUE) != 0;
    }

    public static boolean isTarget(byte b) {
        return (CLASSES[b & 0xff] & TARGET) != 0;
    }

    public static byte lower(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b + 32) : b;
    }

    /** Whether these bytes are this text, which is in lower case, capitals or not. */
    public static boolean isText(byte[] bytes, int start, int end, String text) {
        if (end - start != text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (lower(bytes[start + i]) != (byte) text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    public static boolean startsWith(byte[] bytes, int start, int end, String text) {
        return end - start >= text.length() && isText(bytes, start, start + text.length(), text);
    }
}
