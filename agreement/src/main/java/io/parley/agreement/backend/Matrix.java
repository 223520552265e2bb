package io.parley.agreement.backend;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What each kind of route makes of each declaration. A BackendTLSPolicy puts TLS under it and leaves what is in it alone. */
final class Matrix {
    private Matrix() {}

    /** Nothing if the route cannot speak it. */
    static Optional<BackendProtocol> spoken(RouteKind route, AppProtocol declared, boolean tls) {
        return Optional.ofNullable(
                switch (route) {
                    case HTTP -> tls ? httpInTls(declared) : http(declared);
                    case GRPC -> grpc(declared, tls);
                    // Case 18: these pass bytes on, whatever they are said to mean.
                    case TLS, TCP -> BackendProtocol.TCP;
                    case UDP -> BackendProtocol.UDP;
                });
    }

    private static @Nullable BackendProtocol http(AppProtocol declared) {
        return switch (declared) {
            case HTTP, HTTP1, SECURE, STREAM -> BackendProtocol.HTTP1;
            case H2C, GRPC -> BackendProtocol.H2C;
            case WEBSOCKET -> BackendProtocol.WEBSOCKET;
            case SECURE_WEBSOCKET, H2, RAW -> null;
        };
    }

    private static @Nullable BackendProtocol httpInTls(AppProtocol declared) {
        return switch (declared) {
            case HTTP, SECURE, STREAM -> BackendProtocol.NEGOTIATED;
            case H2C, H2, GRPC -> BackendProtocol.H2;
            case HTTP1, WEBSOCKET, SECURE_WEBSOCKET -> BackendProtocol.HTTP1_TLS;
            case RAW -> null;
        };
    }

    private static @Nullable BackendProtocol grpc(AppProtocol declared, boolean tls) {
        return switch (declared) {
            case HTTP, H2C, GRPC, SECURE, STREAM -> tls ? BackendProtocol.H2 : BackendProtocol.H2C;
            case H2 -> tls ? BackendProtocol.H2 : null;
            case HTTP1, WEBSOCKET, SECURE_WEBSOCKET, RAW -> null;
        };
    }

    /** What is odd about a declaration that is spoken all the same. */
    static Optional<String> doubt(RouteKind route, AppProtocol declared, boolean tls) {
        if ((route == RouteKind.HTTP || route == RouteKind.GRPC) && declared == AppProtocol.SECURE && !tls) {
            return Optional.of("no BackendTLSPolicy says how its certificate is checked, so clear text is spoken");
        }
        if (route == RouteKind.GRPC && declared == AppProtocol.HTTP) {
            return Optional.of("gRPC needs HTTP/2, which is spoken (kubernetes.io/h2c says so)");
        }
        return Optional.empty();
    }

    static String allowed(RouteKind route) {
        return switch (route) {
            case HTTP ->
                "none, http, grpc, kubernetes.io/h2c, kubernetes.io/ws, or with a BackendTLSPolicy kubernetes.io/wss";
            case GRPC -> "none, grpc or kubernetes.io/h2c";
            case TLS, TCP -> "any on protocol TCP";
            case UDP -> "any on protocol UDP";
        };
    }
}
