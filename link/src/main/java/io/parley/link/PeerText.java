package io.parley.link;

/** Text that a peer wrote for people. It is kept and logged, so it is cut where it enters: a frame holds megabytes of it. */
public final class PeerText {
    public static final int MAX_LENGTH = 500;

    private PeerText() {}

    public static String cut(String text) {
        return cut(text, MAX_LENGTH);
    }

    /** The beginning of a text, never ending in half a character. */
    public static String cut(String text, int maxLength) {
        if (text.length() <= maxLength) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength;
        return text.substring(0, end);
    }
}
