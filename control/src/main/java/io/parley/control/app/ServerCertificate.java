package io.parley.control.app;

import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.common.TlsProvider;
import io.parley.identity.certificate.Credentials;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a port of the control plane shows: a certificate that is made anew when two thirds of its life are over. */
final class ServerCertificate implements TlsProvider {
    private final Supplier<Credentials> issuer;
    private final InstantSource time;
    private final ReentrantLock renewal = new ReentrantLock();
    private volatile @Nullable Current current;

    private record Current(TlsKeyPair keyPair, Instant renewAt) {}

    ServerCertificate(Supplier<Credentials> issuer, InstantSource time) {
        this.issuer = issuer;
        this.time = time;
    }

    @Override
    public TlsKeyPair keyPair(String hostname) {
        Current held = current;
        if (held != null && time.instant().isBefore(held.renewAt())) {
            return held.keyPair();
        }
        return renewed();
    }

    private TlsKeyPair renewed() {
        renewal.lock();
        try {
            Current held = current;
            if (held == null || !time.instant().isBefore(held.renewAt())) {
                held = issue();
                current = held;
            }
            return held.keyPair();
        } finally {
            renewal.unlock();
        }
    }

    private Current issue() {
        Credentials credentials = issuer.get();
        Instant from = time.instant();
        Duration life = Duration.between(from, credentials.leaf().getNotAfter().toInstant());
        return new Current(
                TlsKeyPair.of(credentials.key(), credentials.chain()),
                from.plus(life.multipliedBy(2).dividedBy(3)));
    }
}
