package io.parley.control.identity;

import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.SpiffeId;
import io.parley.link.identity.Trust;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The authorities of one mesh.
 *
 * @param backend the name under which the mesh has the one that signs
 * @param signs for new certificates
 * @param trusted whose certificates count, the one that signs among them; more than one while authorities are changed
 * @param leafLife how long a workload's certificate lives
 */
public record MeshTrust(String backend, CertificateAuthority signs, List<X509Certificate> trusted, Duration leafLife) {
    public MeshTrust {
        trusted = List.copyOf(trusted);
    }

    /**
     * The next step on the way to {@code wanted} in which no handshake fails, if every member has made the one before: first all believe
     * the new authorities, then they have certificates of the one that signs, then the old ones are forgotten.
     */
    MeshTrust towards(MeshTrust wanted) {
        if (!trusted.containsAll(wanted.trusted)) {
            return new MeshTrust(backend, signs, union(trusted, wanted.trusted), leafLife);
        }
        if (!signs.certificate().equals(wanted.signs.certificate())) {
            return new MeshTrust(wanted.backend, wanted.signs, trusted, wanted.leafLife);
        }
        return wanted;
    }

    private static List<X509Certificate> union(List<X509Certificate> some, List<X509Certificate> others) {
        return Stream.of(some, others).flatMap(List::stream).distinct().toList();
    }

    /** Whether members have nothing to do when the one becomes the other. */
    boolean isTheSameTo(MeshTrust other) {
        return signs.certificate().equals(other.signs.certificate())
                && Set.copyOf(trusted).equals(Set.copyOf(other.trusted));
    }

    /** What a member with these names is told. */
    Trust told(List<SpiffeId> names) {
        return new Trust(trusted, signs.certificate(), names);
    }
}
