package io.parley.link.server;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.parley.link.auth.LinkCredentials;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** What an upgrade request must bring, and how it is turned away. */
final class UpgradeChecks {
    static final String SUBPROTOCOL = "wrpc.konghq.com";
    private static final String BEARER = "Bearer ";

    private UpgradeChecks() {}

    /** The subprotocol is compared with each token of each header line. */
    static boolean offersSubprotocol(RequestHeaders headers) {
        return headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL).stream()
                .flatMap(line -> Arrays.stream(line.split(",")))
                .anyMatch(token -> token.strip().equals(SUBPROTOCOL));
    }

    /** The same request, offering our subprotocol alone: Armeria echoes from the first line only, and would echo {@code *}. */
    static HttpRequest withSubprotocolOnly(HttpRequest request) {
        return request.withHeaders(request.headers().toBuilder()
                .set(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, SUBPROTOCOL)
                .build());
    }

    static Optional<LinkCredentials> credentials(ServiceRequestContext ctx, RequestHeaders headers, String nodeId) {
        SSLSession session = ctx.sslSession();
        return session == null
                ? Optional.empty()
                : Optional.of(new LinkCredentials(certificates(session), token(headers), nodeId));
    }

    static HttpResponse refuse(HttpStatus status, String reason) {
        var headers = ResponseHeaders.builder(status)
                .contentType(MediaType.PLAIN_TEXT_UTF_8)
                .set(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, SUBPROTOCOL);
        if (status.equals(HttpStatus.UNAUTHORIZED)) {
            headers.set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
        }
        return HttpResponse.of(headers.build(), HttpData.ofUtf8(reason + "\n"));
    }

    private static List<X509Certificate> certificates(SSLSession session) {
        try {
            return Arrays.stream(session.getPeerCertificates())
                    .filter(X509Certificate.class::isInstance)
                    .map(UpgradeChecks::x509)
                    .toList();
        } catch (SSLPeerUnverifiedException _) {
            return List.of();
        }
    }

    private static X509Certificate x509(Certificate certificate) {
        return (X509Certificate) certificate;
    }

    private static @Nullable String token(RequestHeaders headers) {
        String value = headers.get(HttpHeaderNames.AUTHORIZATION);
        // RFC 7235, 2.1: the scheme is case-insensitive.
        return value != null && value.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? value.substring(BEARER.length()).strip()
                : null;
    }
}
