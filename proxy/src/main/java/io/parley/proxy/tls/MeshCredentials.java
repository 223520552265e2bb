package io.parley.proxy.tls;

import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.SpiffeId;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/** What the proxy shows and whom it believes. Two are equal only if they are the same: each certificate issued is a new one. */
public final class MeshCredentials {
    private final Credentials credentials;
    private final List<X509Certificate> trust;
    private final SpiffeId identity;
    private final String serverName;
    private final Instant expires;

    /** Believes those whose certificates one of the authorities in {@code trust} has signed. */
    public MeshCredentials(Credentials credentials, List<X509Certificate> trust) {
        this.credentials = credentials;
        this.trust = List.copyOf(trust);
        if (trust.isEmpty()) {
            throw new IllegalArgumentException("trust: no certificate (expected: at least one authority)");
        }
        this.identity = SpiffeId.of(credentials.leaf());
        this.serverName = PeerIdentity.serverName(identity);
        this.expires = credentials.leaf().getNotAfter().toInstant();
    }

    Credentials credentials() {
        return credentials;
    }

    List<X509Certificate> trust() {
        return trust;
    }

    /** The name in the proxy's own certificate. */
    public SpiffeId identity() {
        return identity;
    }

    /** What peers ask for in the TLS handshake when they mean this proxy. */
    public String serverName() {
        return serverName;
    }

    public Instant expires() {
        return expires;
    }

    @Override
    public String toString() {
        return "MeshCredentials[" + identity + ", redacted]";
    }
}
