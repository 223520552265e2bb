package io.parley.proxy.tls;

import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.KeyPairs;
import io.parley.identity.certificate.SpiffeId;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** What the proxy shows and whom it believes. Two are equal only if they are the same: each certificate issued is a new one. */
public final class MeshCredentials {
    private final Credentials credentials;
    private final List<X509Certificate> trust;
    private final List<SpiffeId> names;
    private final Set<String> serverNames;
    private final Instant expires;
    private final Handshakes handshakes = new Handshakes();

    /** Believes those whose certificates one of the authorities in {@code trust} has signed. */
    public MeshCredentials(Credentials credentials, List<X509Certificate> trust) {
        this.credentials = credentials;
        this.trust = List.copyOf(trust);
        if (trust.isEmpty()) {
            throw new IllegalArgumentException("trust: no certificate (expected: at least one authority)");
        }
        if (!KeyPairs.belong(credentials.key(), credentials.leaf().getPublicKey())) {
            throw new IllegalArgumentException(
                    "key: that of another certificate (expected: the one that belongs to it)");
        }
        this.names = SpiffeId.allIn(credentials.leaf());
        this.serverNames = names.stream().map(PeerIdentity::serverName).collect(Collectors.toUnmodifiableSet());
        this.expires = credentials.leaf().getNotAfter().toInstant();
    }

    public Credentials credentials() {
        return credentials;
    }

    public List<X509Certificate> trust() {
        return trust;
    }

    /** Whether these are the authorities that are believed. */
    public boolean trusts(List<X509Certificate> authorities) {
        return trust.equals(authorities);
    }

    /** The name by which the proxy's peers know it when it calls. */
    public SpiffeId identity() {
        return names.getFirst();
    }

    /** What peers ask for in the TLS handshake when they mean this proxy: a name for each service that it stands for. */
    boolean isAskedForBy(String serverName) {
        return serverNames.contains(serverName);
    }

    Handshakes handshakes() {
        return handshakes;
    }

    /** Done when no handshake that began with these is under way. To be asked when they are not in use any more. */
    public CompletableFuture<Void> over() {
        return handshakes.over();
    }

    public Instant expires() {
        return expires;
    }

    @Override
    public String toString() {
        return "MeshCredentials[" + names + ", redacted]";
    }
}
