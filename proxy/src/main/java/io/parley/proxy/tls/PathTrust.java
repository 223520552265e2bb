package io.parley.proxy.tls;

import io.netty.handler.ssl.OpenSslCertificateException;
import io.netty.internal.tcnative.CertificateVerifier;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.PKIXReason;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Believes certificates that lead to one of some authorities, and lets the alert for others say what is wrong with them. BoringSSL makes it from a number in
 * the exception, and without one calls everything but a date an internal error of this side.
 */
class PathTrust extends X509ExtendedTrustManager {
    private interface Check {
        void run() throws CertificateException;
    }

    private final X509ExtendedTrustManager path;

    /** With no authorities those that the system believes. */
    PathTrust(List<X509Certificate> authorities) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(authorities.isEmpty() ? null : store(authorities));
            path = (X509ExtendedTrustManager) factory.getTrustManagers()[0];
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("a key store in memory could not be made", e);
        }
    }

    private static @Nullable KeyStore store(List<X509Certificate> authorities)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("authority-" + i, authorities.get(i));
        }
        return store;
    }

    /** What a peer must be besides. */
    void demand(X509Certificate leaf) throws CertificateException {}

    private void check(X509Certificate[] chain, Check trusted) throws CertificateException {
        try {
            trusted.run();
            demand(chain[0]);
        } catch (CertificateException e) {
            throw TlsLibrary.isNative() && !isOfItsTime(e) ? numbered(e) : e;
        }
    }

    /** Whether it is about a date, which Netty knows the number of. */
    private static boolean isOfItsTime(Throwable failure) {
        return (failure instanceof CertPathValidatorException invalid
                        && (invalid.getReason() == BasicReason.EXPIRED
                                || invalid.getReason() == BasicReason.NOT_YET_VALID))
                || (failure.getCause() != null && isOfItsTime(failure.getCause()));
    }

    private static CertificateException numbered(CertificateException failure) {
        // Netty makes another exception, without a number, of what begins like the JDK's words for names that do not
        // fit.
        return new OpenSslCertificateException(
                "the certificate is not believed: " + failure.getMessage(),
                failure,
                isOfStrangers(failure)
                        ? CertificateVerifier.X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
                        : CertificateVerifier.X509_V_ERR_CERT_REJECTED);
    }

    /** Whether no path leads to an authority. */
    private static boolean isOfStrangers(Throwable failure) {
        boolean noPath = failure instanceof CertPathBuilderException
                || (failure instanceof CertPathValidatorException invalid
                        && invalid.getReason() == PKIXReason.NO_TRUST_ANCHOR);
        return noPath || (failure.getCause() != null && isOfStrangers(failure.getCause()));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain, () -> path.checkClientTrusted(chain, authType));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain, () -> path.checkServerTrusted(chain, authType));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain, () -> path.checkClientTrusted(chain, authType, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain, () -> path.checkServerTrusted(chain, authType, engine));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(chain, () -> path.checkClientTrusted(chain, authType, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(chain, () -> path.checkServerTrusted(chain, authType, socket));
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return path.getAcceptedIssuers();
    }
}
