package io.parley.resource.mesh;

import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A service that the workload calls, at an address of its own.
 *
 * @param address where the workload finds it; null for loopback
 * @param tags of the service; empty if {@code backendRef} says which
 */
public record Outbound(
        @Nullable String address,
        int port,
        Map<String, String> tags,
        @Nullable BackendRef backendRef) {
    /** A service by kind and name, or by labels. */
    public record BackendRef(String kind, @Nullable String name, int port, Map<String, String> labels) {}

    static Outbound read(Fields fields) {
        String given = fields.needOneOf("tags", "backendRef");
        return new Outbound(
                fields.at("address").text(Networks.IP, Networks::isIp),
                fields.at("port").requireInteger(IntRange.PORT),
                given.equals("tags") && fields.has("tags")
                        ? Networks.serviceTags(fields.at("tags"))
                        : fields.at("tags").tags(),
                fields.at("backendRef").object(Outbound::backendRef));
    }

    private static BackendRef backendRef(Fields fields) {
        var _ = fields.needOneOf("name", "labels");
        return new BackendRef(
                fields.at("kind")
                        .requireText(
                                "MeshService, MeshExternalService or MeshMultiZoneService",
                                kind -> kind.equals("MeshService")
                                        || kind.equals("MeshExternalService")
                                        || kind.equals("MeshMultiZoneService")),
                fields.at("name").text(),
                fields.at("port").requireInteger(IntRange.PORT),
                fields.at("labels").texts());
    }
}
