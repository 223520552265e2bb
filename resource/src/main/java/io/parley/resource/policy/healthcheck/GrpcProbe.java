package io.parley.resource.policy.healthcheck;

import io.parley.resource.read.Fields;
import io.parley.resource.read.WireText;
import org.jspecify.annotations.Nullable;

/** Calls {@code grpc.health.v1.Health}. */
public record GrpcProbe(
        @Nullable Boolean disabled,
        @Nullable String serviceName,
        @Nullable String authority) {
    static GrpcProbe read(Fields fields) {
        return new GrpcProbe(
                fields.at("disabled").flag(),
                fields.at("serviceName").text(),
                fields.at("authority").text("a host, perhaps with a port", GrpcProbe::isAuthority));
    }

    /** Nothing is the cluster's name, as Kuma's own example has it. */
    private static boolean isAuthority(String text) {
        return text.isEmpty() || WireText.isAuthority(text);
    }
}
