package io.parley.resource;

/**
 * The name of a kind that is unique across groups: {@code MeshTimeout} for the mesh's own kinds, {@code core/Secret} or
 * {@code gateway.networking.k8s.io/HTTPRoute} for those of Kubernetes.
 */
public record KindId(String value) implements Comparable<KindId> {
    public KindId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("kind: blank (expected: a name such as MeshTimeout)");
        }
    }

    @Override
    public int compareTo(KindId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
