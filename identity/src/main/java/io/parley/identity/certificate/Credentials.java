package io.parley.identity.certificate;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * What a TLS endpoint shows and proves.
 *
 * @param chain the leaf first, without the root
 */
public record Credentials(List<X509Certificate> chain, PrivateKey key) {
    public Credentials {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("certificate chain: empty (expected: at least the leaf)");
        }
    }

    public X509Certificate leaf() {
        return chain.getFirst();
    }

    @Override
    public String toString() {
        return "Credentials[" + leaf().getSubjectX500Principal() + ", redacted]";
    }
}
