package io.parley.proxy.route;

import org.jspecify.annotations.Nullable;

/**
 * The one form of a path that routes, policies and servers see. What is left different here could be read differently there: that
 * is how rules about paths are got around.
 */
public final class PathNormal {
    private static final String HEX = "0123456789ABCDEF";

    private PathNormal() {}

    /**
     * Decodes what need not be encoded, turns backslashes into slashes, merges slashes and resolves dot segments. The query is kept
     * as it is.
     *
     * @param target a path that begins with a slash, and maybe a query
     * @return null for an escaped slash, backslash, NUL or control character, a bad escape, a dot segment with parameters, or a path that
     *     leads above the root
     */
    public static @Nullable String of(String target) {
        int query = target.indexOf('?');
        String path = query < 0 ? target : target.substring(0, query);
        String decoded = decode(path);
        String resolved = decoded == null ? null : resolve(decoded);
        return resolved == null || query < 0 ? resolved : resolved + target.substring(query);
    }

    private static @Nullable String decode(String path) {
        StringBuilder out = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '\\') {
                out.append('/');
            } else if (c != '%') {
                out.append(c);
            } else {
                int value = i + 2 < path.length() ? escaped(path.charAt(i + 1), path.charAt(i + 2)) : -1;
                if (value < 0x20 || value == '/' || value == '\\' || value == 0x7f) {
                    return null;
                }
                append(value, out);
                i += 2;
            }
        }
        return out.toString();
    }

    private static int escaped(char high, char low) {
        int h = Character.digit(high, 16);
        int l = Character.digit(low, 16);
        return h < 0 || l < 0 || high > 'f' || low > 'f' ? -1 : h * 16 + l;
    }

    /** RFC 3986 6.2.2.2: unreserved characters are never encoded, all others stay so, in capitals. */
    private static void append(int value, StringBuilder out) {
        boolean unreserved = (value >= 'a' && value <= 'z')
                || (value >= 'A' && value <= 'Z')
                || (value >= '0' && value <= '9')
                || "-._~".indexOf(value) >= 0;
        if (unreserved) {
            out.append((char) value);
        } else {
            out.append('%').append(HEX.charAt(value >> 4)).append(HEX.charAt(value & 15));
        }
    }

    /** Segments are cut off at the end of what has been written, so the time is linear however many there are. */
    private static @Nullable String resolve(String path) {
        StringBuilder out = new StringBuilder(path.length());
        int at = 0;
        while (at < path.length()) {
            int next = path.indexOf('/', at + 1);
            int stop = next < 0 ? path.length() : next;
            String segment = path.substring(at + 1, stop);
            boolean last = next < 0;
            if (segment.startsWith(".;") || segment.startsWith("..;")) {
                // To servers that take parameters off a segment, a dot segment.
                return null;
            }
            if (segment.equals("..")) {
                int parent = out.lastIndexOf("/");
                if (parent < 0) {
                    return null;
                }
                out.setLength(parent);
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                out.append('/').append(segment);
            }
            if (last && (segment.isEmpty() || segment.equals(".") || segment.equals(".."))) {
                out.append('/');
            }
            at = stop;
        }
        return out.isEmpty() ? "/" : out.toString();
    }
}
