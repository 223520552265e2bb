package io.parley.proxy.log;

import java.util.HexFormat;

/** Makes a text harmless in a line: quotes, backslashes and controls are written as JSON writes them. */
final class Escapes {
    private static final HexFormat HEX = HexFormat.of();

    private Escapes() {}

    static void append(String text, StringBuilder out) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
                        out.append("\\u").append(HEX.toHexDigits(c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
    }
}
