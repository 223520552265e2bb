package io.parley.link.identity;

import io.parley.link.server.NodeLink;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Signs the certificates of nodes. Called on event loops: must not block. */
@FunctionalInterface
public interface CertificateIssuer {
    /** Fails with {@link io.parley.link.CallRefusal} if the node may not have what it asks for. */
    CompletableFuture<Issued> issue(NodeLink node, byte[] csr);

    /** From now on and until its link ends, the node is to be told by {@link IdentityServer#tell} whom it believes. */
    default void followed(NodeLink node) {}

    /**
     * What a node gets.
     *
     * @param chain its own certificate first
     * @param trusted the authorities that its peers' certificates may come from
     */
    record Issued(List<X509Certificate> chain, List<X509Certificate> trusted) {
        public Issued {
            chain = List.copyOf(chain);
            trusted = List.copyOf(trusted);
            if (chain.isEmpty() || trusted.isEmpty()) {
                throw new IllegalArgumentException("certificates: none (expected: a chain and an authority)");
            }
        }
    }
}
