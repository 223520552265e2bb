package io.parley.control.identity;

import io.parley.identity.certificate.CertificateAuthority;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;

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
}
