package io.parley.control.serve;

import io.parley.identity.certificate.KeyPairs;
import io.parley.identity.certificate.SigningRequest;
import io.parley.link.identity.IdentityHolder;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps the certificates that a node was given. */
final class TestIdentity implements IdentityHolder {
    final List<X509Certificate> certificates = new CopyOnWriteArrayList<>();
    volatile List<X509Certificate> trusted = List.of();
    private final KeyPair keys = KeyPairs.generate(new SecureRandom());

    PrivateKey privateKey() {
        return keys.getPrivate();
    }

    @Override
    public Optional<X509Certificate> current() {
        return certificates.isEmpty() ? Optional.empty() : Optional.of(certificates.getLast());
    }

    @Override
    public byte[] newRequest() {
        return SigningRequest.write(keys);
    }

    @Override
    public void install(List<X509Certificate> chain, List<X509Certificate> authorities) {
        trust(authorities);
        certificates.addAll(chain);
    }

    @Override
    public void trust(List<X509Certificate> authorities) {
        trusted = List.copyOf(authorities);
    }

    @Override
    public CompletableFuture<Void> settled() {
        return CompletableFuture.completedFuture(null);
    }
}
