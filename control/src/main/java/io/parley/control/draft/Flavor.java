package io.parley.control.draft;

import java.util.Locale;

/** Who reads a configuration. What they have in common is the same to the byte. */
public enum Flavor {
    /** A proxy of ours. */
    PARLEY,
    /** A plain Envoy. */
    ENVOY,
    /** A program that speaks xDS itself and has no proxy. */
    GRPC;

    /** By what an xDS client calls itself: {@code gRPC Java}, {@code gRPC Go}, {@code envoy}. */
    public static Flavor ofUserAgent(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.startsWith("grpc") ? GRPC : lower.startsWith("envoy") ? ENVOY : PARLEY;
    }
}
