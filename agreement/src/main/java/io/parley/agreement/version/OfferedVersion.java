package io.parley.agreement.version;

/**
 * One version of a service that the control plane can serve.
 *
 * @param note what a node that gets it is told; may be empty
 */
public record OfferedVersion(String version, String note) {
    public OfferedVersion {
        if (version.isEmpty()) {
            throw new IllegalArgumentException("version: empty (expected: a name such as v1)");
        }
    }

    public static OfferedVersion of(String version) {
        return new OfferedVersion(version, "");
    }
}
