package io.parley.link.auth;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a node shows before the upgrade.
 *
 * @param certificates what it presented in the TLS handshake, its own first. Nothing about them has been checked but that the node has
 *     the key of the first
 * @param bearerToken of the Authorization header
 * @param nodeId what it calls itself
 */
public record LinkCredentials(
        List<X509Certificate> certificates, @Nullable String bearerToken, String nodeId) {
    public LinkCredentials {
        certificates = List.copyOf(certificates);
    }

    @Override
    public String toString() {
        return "LinkCredentials[" + certificates.size() + " certificates, token "
                + (bearerToken == null ? "absent" : "redacted") + ", node " + nodeId + "]";
    }
}
