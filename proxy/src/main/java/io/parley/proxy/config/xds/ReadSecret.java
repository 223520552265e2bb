package io.parley.proxy.config.xds;

import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.TlsCertificate;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.Pem;
import java.security.cert.X509Certificate;
import java.util.List;

/** A secret as its resource says. Kept in memory only. */
sealed interface ReadSecret {
    /** What the proxy shows. */
    record Certificate(Credentials credentials) implements ReadSecret {}

    /** Whom it believes. */
    record Authorities(List<X509Certificate> certificates) implements ReadSecret {}

    static ReadSecret read(Secret secret, Reading reading) {
        try {
            switch (secret.getTypeCase()) {
                case TLS_CERTIFICATE -> {
                    TlsCertificate pair = secret.getTlsCertificate();
                    return new Certificate(new Credentials(
                            Pem.certificates(text(pair.getCertificateChain())),
                            Pem.privateKey(text(pair.getPrivateKey()))));
                }
                case VALIDATION_CONTEXT -> {
                    if (secret.getValidationContext().getMatchTypedSubjectAltNamesCount() > 0) {
                        reading.fail(
                                "validation_context.match_typed_subject_alt_names",
                                "set (expected: where the secret is named)");
                    }
                    return new Authorities(
                            Pem.certificates(text(secret.getValidationContext().getTrustedCa())));
                }
                default ->
                    reading.fail("", secret.getTypeCase() + " (expected: tls_certificate or validation_context)");
            }
        } catch (IllegalArgumentException e) {
            reading.fail("", String.valueOf(e.getMessage()));
        }
        return new Authorities(List.of());
    }

    /** What stands in a resource itself; files of the machine are never read for a control plane. */
    static String text(DataSource source) {
        return source.hasInlineString()
                ? source.getInlineString()
                : source.getInlineBytes().toStringUtf8();
    }
}
