package io.parley.proxy.http1;

/** Which bytes may stand where (RFC 9110 section 5, RFC 9112). */
final class Octets {
    static final byte CR = '\r';
    static final byte LF = '\n';
    static final byte SPACE = ' ';
    static final byte TAB = '\t';

    private static final int TOKEN = 1;
    private static final int VALUE = 2;
    private static final int TARGET = 4;
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
            classes[b] = (byte) (token | value | target);
        }
        return classes;
    }

    static boolean isToken(byte b) {
        return (CLASSES[b & 0xff] & TOKEN) != 0;
    }

    static boolean isValue(byte b) {
        return (CLASSES[b & 0xff] & VALUE) != 0;
    }

    static boolean isTarget(byte b) {
        return (CLASSES[b & 0xff] & TARGET) != 0;
    }

    static byte lower(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b + 32) : b;
    }

    /** Whether these bytes are this text, which is in lower case, capitals or not. */
    static boolean isText(byte[] bytes, int start, int end, String text) {
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

    static boolean startsWith(byte[] bytes, int start, int end, String text) {
        return end - start >= text.length() && isText(bytes, start, start + text.length(), text);
    }
}
