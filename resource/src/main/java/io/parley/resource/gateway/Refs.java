package io.parley.resource.gateway;

import io.parley.resource.read.Fields;
import org.jspecify.annotations.Nullable;

/** What references have in common. */
final class Refs {
    static final String GROUP = "gateway.networking.k8s.io";

    private Refs() {}

    static @Nullable String namespace(Fields fields) {
        return fields.at("namespace").text("a namespace", Texts::isLabel);
    }
}
