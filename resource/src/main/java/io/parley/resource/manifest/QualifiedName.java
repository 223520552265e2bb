package io.parley.resource.manifest;

/**
 * How the mesh calls a resource of a Kubernetes namespace: {@code name.namespace}, since its own names are unique in a mesh.
 * Those of the system namespace keep their name.
 */
public final class QualifiedName {
    private QualifiedName() {}

    public static String of(String name, String namespace) {
        return namespace.equals(WellKnown.SYSTEM_NAMESPACE) ? name : name + "." + namespace;
    }

    /** The name without the namespace. */
    static String plain(String qualified, String namespace) {
        String suffix = "." + namespace;
        boolean isQualified = !namespace.equals(WellKnown.SYSTEM_NAMESPACE) && qualified.endsWith(suffix);
        return isQualified ? qualified.substring(0, qualified.length() - suffix.length()) : qualified;
    }
}
