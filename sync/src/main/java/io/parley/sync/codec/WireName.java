package io.parley.sync.codec;

import java.util.Optional;

/**
 * What a resource is called on a stream: {@code <name>.<mesh>}, split at the last dot, so that names may have dots and kinds of global scope
 * end in one.
 */
public record WireName(String name, String mesh) {
    public static Optional<WireName> parse(String text) {
        int dot = text.lastIndexOf('.');
        return dot < 1 ? Optional.empty() : Optional.of(new WireName(text.substring(0, dot), text.substring(dot + 1)));
    }

    @Override
    public String toString() {
        return name + "." + mesh;
    }
}
