package io.parley.link.identity;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * When to renew: at 70 % of a certificate's life, or a little before, so that nodes that started together do not renew together. Never
 * sooner than in a second, however short the life.
 */
final class RenewalSchedule {
    private static final double LATEST = 0.70;
    private static final double EARLIEST = 0.65;
    static final Duration SOONEST = Duration.ofSeconds(1);

    private RenewalSchedule() {}

    /**
     * From now, for a certificate that was just issued. Its life begins now: authorities date certificates back against clocks that
     * differ, by more than the whole life of a short one.
     */
    static Duration afterIssue(X509Certificate certificate, Instant now, RandomGenerator random) {
        return share(now, certificate, now, random);
    }

    /** From now, for a certificate that was issued nobody knows when. */
    static Duration ofHeld(X509Certificate certificate, Instant now, RandomGenerator random) {
        return share(certificate.getNotBefore().toInstant(), certificate, now, random);
    }

    private static Duration share(Instant from, X509Certificate certificate, Instant now, RandomGenerator random) {
        Duration life = Duration.between(from, certificate.getNotAfter().toInstant());
        Instant due = from.plusMillis((long) (life.toMillis() * random.nextDouble(EARLIEST, LATEST)));
        Duration delay = Duration.between(now, due);
        return delay.compareTo(SOONEST) < 0 ? SOONEST : delay;
    }
}
