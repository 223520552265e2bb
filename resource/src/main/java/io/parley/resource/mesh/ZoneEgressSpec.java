package io.parley.resource.mesh;

import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import io.parley.resource.read.SpecReader;
import org.jspecify.annotations.Nullable;

/** A way out of a zone. */
public record ZoneEgressSpec(
        @Nullable String zone,
        @Nullable String address,
        int port,
        @Nullable Integer adminPort) {
    public static final SpecReader<ZoneEgressSpec> READER = SpecReader.ofProtobuf(ZoneEgressSpec::read);

    private static ZoneEgressSpec read(Fields spec) {
        String zone = spec.at("zone").text();
        return spec.at("networking").requireObject(networking -> {
            int port = networking.at("port").requireInteger(IntRange.PORT);
            Integer adminPort = networking.at("admin").object(Networks::adminPort);
            if (adminPort != null && adminPort == port) {
                networking.fail("admin", "port " + port + " (expected: another than networking.port)");
            }
            return new ZoneEgressSpec(
                    zone, networking.at("address").text(Networks.ADDRESS, Networks::isAddress), port, adminPort);
        });
    }
}
