package io.parley.resource.mesh;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.read.Choices;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import io.parley.resource.read.SpecReader;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A proxy beside a workload, or one that is a gateway.
 *
 * @param address where it is reached
 * @param advertisedAddress where others reach it, if that is another place
 * @param gateway null for a sidecar
 * @param metrics where it shows metrics, in place of what the mesh says; kept as it is
 */
public record DataplaneSpec(
        String address,
        @Nullable String advertisedAddress,
        List<Inbound> inbound,
        List<Outbound> outbound,
        @Nullable Gateway gateway,
        @Nullable TransparentProxying transparentProxying,
        @Nullable Integer adminPort,
        @Nullable ObjectNode metrics,
        @Nullable Probes probes) {
    public static final SpecReader<DataplaneSpec> READER = SpecReader.ofProtobuf(DataplaneSpec::read);

    /** A gateway, ours or somebody else's. */
    public record Gateway(GatewayType type, Map<String, String> tags) {}

    /** Whose gateway it is. */
    public enum GatewayType {
        /** Another program; the proxy carries what it sends. */
        DELEGATED,
        /** The proxy itself. */
        BUILTIN
    }

    /** Paths of the workload that are shown without TLS, for those who check its health. */
    public record Probes(int port, List<Endpoint> endpoints) {}

    /** One of them. */
    public record Endpoint(
            int inboundPort,
            @Nullable String inboundPath,
            @Nullable String path) {}

    private static final Choices<GatewayType> GATEWAY_TYPES = Choices.asNamed(GatewayType.class);

    public DataplaneSpec {
        inbound = List.copyOf(inbound);
        outbound = List.copyOf(outbound);
    }

    private static DataplaneSpec read(Fields spec) {
        ObjectNode metrics = spec.at("metrics").tree();
        Probes probes = spec.at("probes").object(DataplaneSpec::probes);
        spec.ignore("envoy");
        return spec.at("networking").requireObject(networking -> {
            checkRole(networking);
            String address = networking.at("address").requireText(Networks.ADDRESS, Networks::isAddress);
            return new DataplaneSpec(
                    address,
                    networking.at("advertisedAddress").text(Networks.ADDRESS, Networks::isAddress),
                    networking.at("inbound").objects(inbound -> Inbound.read(inbound, address)),
                    networking.at("outbound").objects(Outbound::read),
                    networking.at("gateway").object(DataplaneSpec::gateway),
                    networking.at("transparentProxying").object(TransparentProxying::read),
                    networking.at("admin").object(Networks::adminPort),
                    metrics,
                    probes);
        });
    }

    private static void checkRole(Fields networking) {
        boolean serves = !networking.at("inbound").list(item -> item).isEmpty();
        boolean listens = !networking.at("listeners").list(item -> item).isEmpty();
        boolean gateway = networking.has("gateway");
        if (!serves && !gateway && !listens) {
            networking.fail("neither inbound nor gateway (expected: one of them)");
        } else if (serves && gateway) {
            networking.fail("inbound and gateway (expected: one of them)");
        }
    }

    private static Gateway gateway(Fields fields) {
        return new Gateway(
                fields.at("type").choiceOr(GatewayType.DELEGATED, GATEWAY_TYPES),
                Networks.serviceTags(fields.at("tags")));
    }

    private static Probes probes(Fields fields) {
        return new Probes(
                fields.at("port").requireInteger(IntRange.PORT),
                fields.at("endpoints")
                        .objects(endpoint -> new Endpoint(
                                endpoint.at("inboundPort").requireInteger(IntRange.PORT),
                                path(endpoint.at("inboundPath")),
                                path(endpoint.at("path")))));
    }

    private static @Nullable String path(Field field) {
        return field.text("an absolute path", text -> text.startsWith("/"));
    }
}
