package io.parley.resource.mesh;

import io.parley.resource.read.SpecReader;

/** Whether a zone takes part. */
public record ZoneSpec(boolean enabled) {
    public static final SpecReader<ZoneSpec> READER =
            SpecReader.ofProtobuf(spec -> new ZoneSpec(spec.at("enabled").flagOr(true)));
}
