package io.parley.link.identity;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** When to renew: at 70 % of a certificate's life, or a little before, so that nodes that started together do not renew together. */
final class RenewalSchedule {
    private static final double LATEST = 0.70;
    private static final double EARLIEST = 0.65;

    private RenewalSchedule() {}

    /** From now; zero if it is time. */
    static Duration delay(X509Certificate certificate, Instant now, RandomGenerator random) {
        Instant from = certificate.getNotBefore().toInstant();
        Duration life = Duration.between(from, certificate.getNotAfter().toInstant());
        double share = random.nextDouble(EARLIEST, LATEST);
        Instant due = from.plusMillis((long) (life.toMillis() * share));
        return due.isAfter(now) ? Duration.between(now, due) : Duration.ZERO;
    }
}
