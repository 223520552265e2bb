package io.parley.agreement.backend;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a declaration of a port says, whichever of its spellings was used. */
public enum AppProtocol {
    /** HTTP; which version is left open. */
    HTTP,
    /** HTTP/1.1 and no other version. */
    HTTP1,
    /** HTTP/2 in clear text. */
    H2C,
    /** HTTP/2 in TLS. */
    H2,
    GRPC,
    WEBSOCKET,
    SECURE_WEBSOCKET,
    /** TLS; what is in it is left open. */
    SECURE,
    /** Nothing beyond what every TCP port says. */
    STREAM,
    /** The document's {@code raw}: only the Service's {@code protocol} counts. */
    RAW;

    private static final String STANDARD = "kubernetes.io/";

    /** Prefixes whose owners define what stands behind them; what we do not know there is no synonym for anything. */
    private static final Set<String> RESERVED =
            Set.of(STANDARD, "gateway.networking.k8s.io/", "gateway-api.kubernetes.io/");

    /** KEP-3726, and of GEP-1911's first draft {@code raw}. */
    private static final Map<String, AppProtocol> STANDARDS =
            Map.of("h2c", H2C, "ws", WEBSOCKET, "wss", SECURE_WEBSOCKET, "raw", RAW);

    /** What people write without a prefix, meaning well: names that IANA has, and names that charts ship. */
    private static final Map<String, AppProtocol> ALIASES = Map.ofEntries(
            Map.entry("http", HTTP),
            Map.entry("http1", HTTP1),
            Map.entry("grpc-web", HTTP),
            Map.entry("h2c", H2C),
            Map.entry("http2", H2C),
            Map.entry("grpc", GRPC),
            Map.entry("ws", WEBSOCKET),
            Map.entry("wss", SECURE_WEBSOCKET),
            Map.entry("https", SECURE),
            Map.entry("tls", SECURE),
            Map.entry("tcp", STREAM),
            Map.entry("udp", STREAM));

    /** What {@code appProtocol} says, whatever the case of its letters; nothing if we do not know the value. */
    public static Optional<AppProtocol> parse(String value) {
        String lower = value.toLowerCase(Locale.ROOT);
        return Optional.ofNullable(
                lower.startsWith(STANDARD) ? STANDARDS.get(lower.substring(STANDARD.length())) : ALIASES.get(lower));
    }

    /** Whether a value that we do not know stands where only its owner could say what may be put in its place. */
    static boolean isReserved(String value) {
        return RESERVED.stream().anyMatch(value.toLowerCase(Locale.ROOT)::startsWith);
    }
}
