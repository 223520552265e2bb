package io.parley.resource.mesh;

import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import io.parley.resource.read.SpecReader;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A way into a zone.
 *
 * @param address where it listens
 * @param advertisedAddress where other zones reach it, if that is another place
 */
public record ZoneIngressSpec(
        @Nullable String zone,
        @Nullable String address,
        int port,
        @Nullable String advertisedAddress,
        @Nullable Integer advertisedPort,
        @Nullable Integer adminPort,
        List<AvailableService> availableServices) {
    public static final SpecReader<ZoneIngressSpec> READER = SpecReader.ofProtobuf(ZoneIngressSpec::read);

    /** A service that can be reached through it. */
    public record AvailableService(
            Map<String, String> tags,
            int instances,
            @Nullable String mesh,
            boolean externalService) {}

    public ZoneIngressSpec {
        availableServices = List.copyOf(availableServices);
    }

    private static ZoneIngressSpec read(Fields spec) {
        String zone = spec.at("zone").text();
        List<AvailableService> services = spec.at("availableServices").objects(ZoneIngressSpec::availableService);
        return spec.at("networking").requireObject(networking -> {
            if (networking.has("advertisedAddress") != networking.has("advertisedPort")) {
                networking.fail("one of advertisedAddress, advertisedPort (expected: both or none)");
            }
            return new ZoneIngressSpec(
                    zone,
                    networking.at("address").text(Networks.ADDRESS, Networks::isAddress),
                    networking.at("port").requireInteger(IntRange.PORT),
                    networking.at("advertisedAddress").text(Networks.ADDRESS, Networks::isAddress),
                    networking.at("advertisedPort").integer(IntRange.PORT),
                    networking.at("admin").object(Networks::adminPort),
                    services);
        });
    }

    private static AvailableService availableService(Fields fields) {
        Integer instances = fields.at("instances").integer(IntRange.NOT_NEGATIVE);
        return new AvailableService(
                Networks.serviceTags(fields.at("tags")),
                instances == null ? 0 : instances,
                fields.at("mesh").text(),
                fields.at("externalService").flagOr(false));
    }
}
