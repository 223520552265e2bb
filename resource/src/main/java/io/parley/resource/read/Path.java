package io.parley.resource.read;

import org.jspecify.annotations.Nullable;

/**
 * Where in a document something stands, written {@code spec.to[0].tags["kuma.io/service"]}. Every field that is read has one and few are
 * ever shown, so the text is made when it is asked for.
 *
 * @param parent null for the document itself
 * @param name of a field; empty for an item of a list
 * @param index of an item of a list; -1 for a field
 */
public record Path(@Nullable Path parent, String name, int index) {
    public static final Path ROOT = new Path(null, "", -1);

    public Path field(String field) {
        return new Path(this, field, -1);
    }

    public Path item(int number) {
        return new Path(this, "", number);
    }

    /** Empty for the document itself. */
    public String text() {
        if (parent == null) {
            return "";
        }
        String before = parent.text();
        if (index >= 0) {
            return before + "[" + index + "]";
        }
        if (!isPlain(name)) {
            return before + "[\"" + name + "\"]";
        }
        return before.isEmpty() ? name : before + "." + name;
    }

    private static boolean isPlain(String name) {
        return !name.isEmpty() && name.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_' || c == '-');
    }

    @Override
    public String toString() {
        return text();
    }
}
