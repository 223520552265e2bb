package io.parley.resource.policy;

/** What a {@code targetRef} can point at, from the least specific to the most: a policy with a later kind wins. */
public enum TargetKind {
    MESH("Mesh"),
    DATAPLANE("Dataplane"),
    MESH_SUBSET("MeshSubset"),
    MESH_GATEWAY("MeshGateway"),
    MESH_SERVICE("MeshService"),
    MESH_EXTERNAL_SERVICE("MeshExternalService"),
    MESH_MULTI_ZONE_SERVICE("MeshMultiZoneService"),
    MESH_SERVICE_SUBSET("MeshServiceSubset"),
    MESH_HTTP_ROUTE("MeshHTTPRoute");

    private final String word;

    TargetKind(String word) {
        this.word = word;
    }

    @Override
    public String toString() {
        return word;
    }
}
