package io.parley.store;

import io.parley.resource.ResourceKey;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** Where a page of a list ended: the last resource on it. Ordered as lists are. */
public record Cursor(String space, String name) implements Comparable<Cursor> {
    private static final String SEPARATOR = "\n";

    public Cursor {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("cursor: not at a resource (expected: the last one of a page)");
        }
    }

    public static Cursor at(ResourceKey key) {
        return new Cursor(key.space(), key.name());
    }

    /** By code point, as UTF-8 bytes in a database compare; {@code String} compares otherwise beyond U+FFFF. */
    @Override
    public int compareTo(Cursor other) {
        int bySpace = compare(space, other.space);
        return bySpace != 0 ? bySpace : compare(name, other.name);
    }

    private static int compare(String left, String right) {
        int shared = Math.min(left.length(), right.length());
        for (int at = 0; at < shared; at++) {
            char l = left.charAt(at);
            char r = right.charAt(at);
            if (l != r) {
                int byPlane = Boolean.compare(Character.isSurrogate(l), Character.isSurrogate(r));
                return byPlane != 0 ? byPlane : Character.compare(l, r);
            }
        }
        return Integer.compare(left.length(), right.length());
    }

    /** One word that travels in URLs. */
    public String token() {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((space + SEPARATOR + name).getBytes(StandardCharsets.UTF_8));
    }

    /** The cursor of a token, or empty if that is not one of ours. */
    public static Optional<Cursor> parse(String token) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
            int separator = text.indexOf(SEPARATOR);
            return separator < 0 || text.indexOf(0) >= 0
                    ? Optional.empty()
                    : Optional.of(new Cursor(text.substring(0, separator), text.substring(separator + 1)));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
