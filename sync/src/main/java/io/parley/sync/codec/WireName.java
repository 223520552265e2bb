package io.parley.sync.codec;

/**
 * What a resource is called on a stream: {@code <name>.<mesh>}, split at the last dot, so that names may have dots and kinds of global scope
 * end in one.
 */
public record WireName(String name, String mesh) {
    @Override
    public String toString() {
        return name + "." + mesh;
    }
}
