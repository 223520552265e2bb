package io.parley.resource;

import java.util.HexFormat;

/** Text of strangers as it may stand in a line for people: it moves no cursor, begins no line of its own, and does not go on for ever. */
public final class Shown {
    private static final int LONGEST = 4_096;
    private static final HexFormat HEX = HexFormat.of();

    private Shown() {}

    /** The text, with control characters written as JSON writes them. To do it twice changes nothing. */
    public static String of(String text) {
        if (text.length() <= LONGEST && text.chars().noneMatch(Shown::isHidden)) {
            return text;
        }
        StringBuilder out = new StringBuilder();
        text.chars().limit(LONGEST).forEach(c -> {
            switch (c) {
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (isHidden(c)) {
                        out.append("\\u").append(HEX.toHexDigits((char) c));
                    } else {
                        out.append((char) c);
                    }
                }
            }
        });
        return text.length() <= LONGEST ? out.toString() : out.append('…').toString();
    }

    /** Controls of both kinds, and what turns the direction of writing or ends a line. */
    private static boolean isHidden(int c) {
        return Character.isISOControl(c) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    }
}
