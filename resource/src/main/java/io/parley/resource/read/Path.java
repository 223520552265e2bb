package io.parley.resource.read;

/**
 * Where in a document something stands, written {@code spec.to[0].tags["kuma.io/service"]}.
 *
 * @param text empty for the document itself
 */
public record Path(String text) {
    public static final Path ROOT = new Path("");

    public Path field(String name) {
        if (!isPlain(name)) {
            return new Path(text + "[\"" + name + "\"]");
        }
        return new Path(text.isEmpty() ? name : text + "." + name);
    }

    public Path item(int index) {
        return new Path(text + "[" + index + "]");
    }

    private static boolean isPlain(String name) {
        return !name.isEmpty() && name.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_' || c == '-');
    }

    @Override
    public String toString() {
        return text;
    }
}
