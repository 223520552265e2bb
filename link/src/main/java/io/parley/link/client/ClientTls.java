package io.parley.link.client;

import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.parley.identity.certificate.KeyStores;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLException;

/** What a node needs for TLS. There is no way to make one that does not check the control plane's certificate. */
public final class ClientTls {
    private ClientTls() {}

    /** For a node that shows a token, or nothing. */
    public static SslContext trusting(Collection<X509Certificate> authorities) {
        return build(builder(authorities));
    }

    /** For a node that shows a certificate. */
    public static SslContext trusting(
            Collection<X509Certificate> authorities, List<X509Certificate> chain, PrivateKey key) {
        return build(builder(authorities).keyManager(key, chain));
    }

    /** Why a connection failed; where that was in the handshake, with what to look at. */
    static String whyNot(Throwable failure) {
        return switch (failure) {
            case CertificateException untrusted ->
                "the control plane's certificate is not believed: " + untrusted.getMessage()
                        + " (expected: one for this host, signed by the CA that is given)";
            case NotSslRecordException _ ->
                "what answers there does not speak TLS (expected: the control plane's port for data planes, not that"
                        + " of its API)";
            default -> failure.getClass().getSimpleName() + ": " + failure.getMessage();
        };
    }

    private static SslContextBuilder builder(Collection<X509Certificate> authorities) {
        if (authorities.isEmpty()) {
            throw new IllegalArgumentException("authorities: none (expected: the CA of the control plane)");
        }
        return SslContextBuilder.forClient()
                .keyStoreType(KeyStores.IN_MEMORY)
                .trustManager(authorities)
                .protocols("TLSv1.3", "TLSv1.2")
                .endpointIdentificationAlgorithm("HTTPS");
    }

    private static SslContext build(SslContextBuilder builder) {
        try {
            return builder.build();
        } catch (SSLException e) {
            throw new IllegalArgumentException("TLS material cannot be used: " + e.getMessage(), e);
        }
    }
}
