package io.parley.resource.manifest;

/** Names that manifests give a meaning to. */
final class WellKnown {
    static final String DEFAULT_MESH = "default";
    static final String DEFAULT_NAMESPACE = "default";

    /** Resources of this namespace keep their plain name: it is where a Kuma control plane lives. */
    static final String SYSTEM_NAMESPACE = "kuma-system";

    static final String MESH_LABEL = "kuma.io/mesh";
    static final String NAMESPACE_LABEL = "k8s.kuma.io/namespace";

    /** Remembers the {@code apiVersion} of a manifest that was not written in the version that we prefer. Never shown. */
    static final String API_VERSION_ANNOTATION = "parley.io/api-version";

    private WellKnown() {}
}
