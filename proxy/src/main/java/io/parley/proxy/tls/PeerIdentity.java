package io.parley.proxy.tls;

import io.parley.identity.certificate.SpiffeId;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** The name of a peer, read from its certificate. */
public final class PeerIdentity {
    private PeerIdentity() {}

    /** Every name of the peer of a finished handshake, in which its certificate was verified: one for each service that it stands for. */
    public static List<SpiffeId> allOf(SSLSession session) throws SSLPeerUnverifiedException {
        if (session.getPeerCertificates()[0] instanceof X509Certificate leaf) {
            return SpiffeId.allIn(leaf);
        }
        throw new SSLPeerUnverifiedException("the peer's certificate is not X.509");
    }

    /**
     * The name by which a proxy asks for another in the TLS handshake: the last part of the path, then the trust domain. It only
     * tells handshakes for the proxy from those for the application behind it; who answers is proven by the certificate.
     */
    public static String serverName(SpiffeId id) {
        String last = id.path().substring(id.path().lastIndexOf('/') + 1);
        return dnsLike(last) + "." + dnsLike(id.trustDomain());
    }

    private static String dnsLike(String text) {
        String name = text.toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z0-9.-]", "-");
        return name.replaceAll("^[-.]+|[-.]+$", "").replaceAll("[.][-.]+|-[.]", ".");
    }
}
