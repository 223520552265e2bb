package io.parley.link.identity;

import io.parley.identity.certificate.SpiffeId;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Whom a node believes, and what is to be in its own certificate.
 *
 * @param trusted the authorities that a peer's certificate may come from
 * @param signs the one of them that the node's own certificate is to come from
 * @param names that its certificate is to have
 */
public record Trust(List<X509Certificate> trusted, X509Certificate signs, List<SpiffeId> names) {
    public Trust {
        trusted = List.copyOf(trusted);
        names = List.copyOf(names);
    }

    /** Whether a certificate is as it should be. */
    boolean isKeptBy(X509Certificate leaf) {
        try {
            leaf.verify(signs.getPublicKey());
            return SpiffeId.allIn(leaf).equals(names);
        } catch (GeneralSecurityException | IllegalArgumentException _) {
            return false;
        }
    }
}
