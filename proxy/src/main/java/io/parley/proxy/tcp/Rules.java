package io.parley.proxy.tcp;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.proxy.config.Protocol;
import io.parley.wire.header.ConnectionHeader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules by which a connection's protocol is decided when nobody declared it. Their names are in metrics and documentation. */
final class Rules {
    static final String DETECTED = "detected";
    static final String SERVER_FIRST = "server-spoke-first";
    static final String PARTIAL = "detect-timeout";
    static final String ENDED = "client-ended";
    static final String HEADER = "connection-header";

    /** Why a connection ends on which the client says nothing, where a declaration says that it speaks first. */
    static final String CLIENT_SILENT = "client-silent";

    /** Why a connection ends that turned out to carry no HTTP, where rules look at each request. */
    static final String NOT_HTTP = "not-http";

    private static final Set<String> FOUND = Set.of(DETECTED, SERVER_FIRST, PARTIAL, HEADER);

    private Rules() {}

    /** Whether nobody declared it here: it was found out, or another proxy says so. */
    static boolean isFound(Decision<Protocol> decision) {
        return FOUND.contains(decision.source().rule());
    }

    static Decision<Protocol> detected(Protocol protocol, String because) {
        return new Decision<>(protocol, because, Source.ofRule(DETECTED));
    }

    static Decision<Protocol> serverSpokeFirst() {
        return new Decision<>(Protocol.OPAQUE, "the server spoke before the client did", Source.ofRule(SERVER_FIRST));
    }

    static Decision<Protocol> unproven(String because) {
        return new Decision<>(Protocol.OPAQUE, because, Source.ofRule(PARTIAL));
    }

    /** Who has no more to say may still hear the server. */
    static Decision<Protocol> clientEnded() {
        return new Decision<>(Protocol.OPAQUE, "the client ended its output without a word", Source.ofRule(ENDED));
    }

    /** What detection found, as Linkerd words it in metrics; null if there was nothing to find. */
    static @Nullable String result(Protocol protocol, String rule) {
        return switch (rule) {
            case PARTIAL -> "read_timeout";
            case ENDED -> "error";
            case DETECTED, SERVER_FIRST ->
                switch (protocol) {
                    case HTTP1 -> "http/1";
                    case HTTP2, GRPC -> "http/2";
                    case TLS, OPAQUE, DETECT -> "not_http";
                };
            default -> null;
        };
    }

    static Decision<Protocol> byHeader(ConnectionHeader header) {
        Protocol protocol = switch (header.protocol()) {
            case HTTP1 -> Protocol.HTTP1;
            case HTTP2 -> Protocol.HTTP2;
            case null -> Protocol.OPAQUE;
        };
        return new Decision<>(protocol, "the proxy before this one says so", Source.ofRule(HEADER));
    }
}
