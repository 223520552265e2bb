package io.parley.proxy.tls;

import io.parley.identity.certificate.SpiffeId;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Believes certificates that lead to an authority of the mesh and name a member of it. There are no host names in a mesh,
 * so none is checked: whether the member is the one that was dialled is for the caller, who knows whom it dialled.
 */
final class MeshTrustManager extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager path;

    MeshTrustManager(List<X509Certificate> authorities) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (int i = 0; i < authorities.size(); i++) {
                store.setCertificateEntry("authority-" + i, authorities.get(i));
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            path = (X509ExtendedTrustManager) factory.getTrustManagers()[0];
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("a key store in memory could not be made", e);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        path.checkClientTrusted(chain, authType);
        requireMember(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        path.checkServerTrusted(chain, authType);
        requireMember(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        checkClientTrusted(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        checkServerTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        checkClientTrusted(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        checkServerTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return path.getAcceptedIssuers();
    }

    private static void requireMember(X509Certificate[] chain) throws CertificateException {
        try {
            Object _ = SpiffeId.allIn(chain[0]);
        } catch (IllegalArgumentException e) {
            throw new CertificateException(e.getMessage(), e);
        }
    }
}
