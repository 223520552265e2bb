package io.parley.resource.text;

/** Which characters a text may hold. */
final class Characters {
    private Characters() {}

    /**
     * Whether the text can be written as UTF-8 and kept by every store: no half of a surrogate pair, and no U+0000, which
     * PostgreSQL has no place for.
     */
    static boolean areStorable(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (c == 0 || (Character.isSurrogate(c) && !pair)) {
                return false;
            }
            if (pair) {
                i++;
            }
        }
        return true;
    }
}
