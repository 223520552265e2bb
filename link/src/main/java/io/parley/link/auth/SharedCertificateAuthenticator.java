package io.parley.link.auth;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;

/** By one certificate that all nodes share: whoever has its key is let in, and all of them are the same principal. */
public final class SharedCertificateAuthenticator implements LinkAuthenticator {
    private final byte[] fingerprint;
    private final InstantSource time;

    public SharedCertificateAuthenticator(X509Certificate shared, InstantSource time) {
        this.fingerprint = sha256(shared);
        this.time = time;
    }

    @Override
    public CompletableFuture<Authentication> authenticate(LinkCredentials credentials) {
        return CompletableFuture.completedFuture(judge(credentials));
    }

    private Authentication judge(LinkCredentials credentials) {
        if (credentials.certificates().isEmpty()) {
            return new Authentication.Unauthenticated("no client certificate (expected: the shared one)");
        }
        X509Certificate presented = credentials.certificates().getFirst();
        if (!MessageDigest.isEqual(fingerprint, sha256(presented))) {
            return new Authentication.Unauthenticated("client certificate is not the shared one");
        }
        if (presented.getNotAfter().toInstant().isBefore(time.instant())) {
            return new Authentication.Unauthenticated("shared certificate ended " + presented.getNotAfter());
        }
        return new Authentication.Granted(
                NodePrincipal.named("shared:" + HexFormat.of().formatHex(fingerprint, 0, 8)));
    }

    private static byte[] sha256(X509Certificate certificate) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
        } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
            throw new IllegalStateException("certificate that was parsed cannot be written", e);
        }
    }
}
