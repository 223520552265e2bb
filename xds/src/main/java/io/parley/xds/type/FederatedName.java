package io.parley.xds.type;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * Spelling of names that are URIs, {@code xdstp://authority/type/id?context} (gRPC A47, xDS TP1). One name may be written in several ways:
 * context parameters have no order, and what is percent-encoded needlessly, or in small letters, is the same (RFC 3986, 6.2.2).
 */
public final class FederatedName {
    public static final String SCHEME = "xdstp:";

    private static final String UNRESERVED = "-._~";
    /** What a segment of a path may hold as it is, besides letters, digits and the unreserved. */
    private static final String OF_SEGMENTS = UNRESERVED + "!$&'()*+,;=:@";

    private static final int ESCAPE = 3;

    private FederatedName() {}

    public static boolean is(String name) {
        return name.startsWith(SCHEME);
    }

    /** The one spelling under which a name is kept and asked for; plain names stay as they are. */
    public static String canonical(String name) {
        if (!is(name)) {
            return name;
        }
        String normal = name.indexOf('%') < 0 ? name : normalized(name);
        int question = normal.indexOf('?');
        if (question < 0) {
            return normal;
        }
        String[] parameters = normal.substring(question + 1).split("&", -1);
        Arrays.sort(parameters);
        return normal.substring(0, question + 1) + String.join("&", parameters);
    }

    /** Whether each percent sign begins an escape. */
    public static boolean isWellFormed(String name) {
        for (int at = name.indexOf('%'); at >= 0; at = name.indexOf('%', at + 1)) {
            if (!isEscape(name, at)) {
                return false;
            }
        }
        return true;
    }

    /** Text as it stands in the path of such a name: slashes part its segments, and what no segment may hold is escaped. */
    public static String encodePath(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte each : text.getBytes(UTF_8)) {
            char character = (char) (each & 0xff);
            if (character == '/' || isLetterOrDigit(character) || OF_SEGMENTS.indexOf(character) >= 0) {
                encoded.append(character);
            } else {
                escape(encoded, each);
            }
        }
        return encoded.toString();
    }

    private static String normalized(String name) {
        StringBuilder normal = new StringBuilder(name.length());
        for (int at = 0; at < name.length(); at++) {
            char character = name.charAt(at);
            if (character != '%' || !isEscape(name, at)) {
                normal.append(character);
                continue;
            }
            byte value = (byte) HexFormat.fromHexDigits(name, at + 1, at + ESCAPE);
            char decoded = (char) (value & 0xff);
            if (isLetterOrDigit(decoded) || UNRESERVED.indexOf(decoded) >= 0) {
                normal.append(decoded);
            } else {
                escape(normal, value);
            }
            at += ESCAPE - 1;
        }
        return normal.toString();
    }

    private static boolean isEscape(String name, int at) {
        return at + ESCAPE <= name.length()
                && HexFormat.isHexDigit(name.charAt(at + 1))
                && HexFormat.isHexDigit(name.charAt(at + 2));
    }

    private static boolean isLetterOrDigit(char character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9');
    }

    private static void escape(StringBuilder text, byte value) {
        text.append('%').append(HexFormat.of().withUpperCase().toHexDigits(value));
    }
}
