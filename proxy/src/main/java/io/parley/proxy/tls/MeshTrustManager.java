package io.parley.proxy.tls;

import io.parley.identity.certificate.SpiffeId;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;

/**
 * Believes certificates that lead to an authority of the mesh and name a member of it. There are no host names in a mesh,
 * so none is asked for: whether the member is the one that was dialled is for the caller, who knows whom it dialled.
 */
final class MeshTrustManager extends PathTrust {
    MeshTrustManager(List<X509Certificate> authorities) {
        super(authorities);
    }

    @Override
    void demand(X509Certificate leaf) throws CertificateException {
        try {
            Object _ = SpiffeId.allIn(leaf);
        } catch (IllegalArgumentException e) {
            throw new CertificateException(e.getMessage(), e);
        }
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
}
