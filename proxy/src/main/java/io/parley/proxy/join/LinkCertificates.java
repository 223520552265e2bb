package io.parley.proxy.join;

import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.KeyPairs;
import io.parley.identity.certificate.SigningRequest;
import io.parley.link.identity.IdentityHolder;
import io.parley.proxy.tls.MeshCredentials;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The proxy's certificate as the control plane issues it. Keys are made here, one for each certificate, and kept in memory only. A
 * request names nobody: the control plane knows who asks, and which service that is.
 */
final class LinkCertificates implements IdentityHolder {
    private static final Logger LOG = LoggerFactory.getLogger(LinkCertificates.class);

    private final SecureRandom random;
    private final Runnable installed;
    private volatile @Nullable Held held;
    private @Nullable KeyPair asked;
    private CompletableFuture<Void> settled = CompletableFuture.completedFuture(null);

    private record Held(Credentials shown, MeshCredentials credentials) {}

    /** Calls {@code installed} after each new certificate, and when others are believed. */
    LinkCertificates(SecureRandom random, Runnable installed) {
        this.random = random;
        this.installed = installed;
    }

    /** What to show to peers; the same instance until it changes. */
    Optional<MeshCredentials> credentials() {
        return Optional.ofNullable(held).map(Held::credentials);
    }

    /** What to show to the control plane; empty as long as there is no certificate. */
    Optional<Credentials> shown() {
        return Optional.ofNullable(held).map(Held::shown);
    }

    @Override
    public Optional<X509Certificate> current() {
        return shown().map(Credentials::leaf);
    }

    @Override
    public byte[] newRequest() {
        KeyPair fresh = KeyPairs.generate(random);
        asked = fresh;
        return SigningRequest.write(fresh);
    }

    @Override
    public void install(List<X509Certificate> chain, List<X509Certificate> trusted) {
        KeyPair key = asked;
        if (key == null || chain.isEmpty() || !chain.getFirst().getPublicKey().equals(key.getPublic())) {
            throw new IllegalArgumentException("certificate for another key than the one that was asked for");
        }
        Credentials shown = new Credentials(chain, key.getPrivate());
        MeshCredentials fresh = new MeshCredentials(shown, trusted);
        hold(new Held(shown, fresh));
        LOG.info("certificate of {} issued, valid until {}", fresh.identity(), fresh.expires());
        installed.run();
    }

    @Override
    public void trust(List<X509Certificate> trusted) {
        Held now = held;
        if (now != null && !now.credentials.trusts(trusted)) {
            hold(new Held(now.shown, new MeshCredentials(now.shown, trusted)));
            LOG.info("{} authorities are trusted now", trusted.size());
            installed.run();
        }
    }

    private void hold(Held fresh) {
        Held before = held;
        held = fresh;
        if (before != null) {
            settled = CompletableFuture.allOf(settled, before.credentials.over());
        }
    }

    @Override
    public CompletableFuture<Void> settled() {
        return settled;
    }
}
