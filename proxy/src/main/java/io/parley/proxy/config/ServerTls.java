package io.parley.proxy.config;

import io.parley.identity.certificate.Credentials;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a gateway shakes hands with its clients, who are no members of the mesh.
 *
 * @param certificates the first that has the name a client asks for is shown, else the first of all
 * @param protocols what is agreed on by ALPN, the best first; none if nothing is
 * @param clients whose certificates are asked for; null if none are
 */
public record ServerTls(
        List<Credentials> certificates,
        List<String> protocols,
        @Nullable Clients clients) {
    /**
     * Clients that have certificates of their own.
     *
     * @param authorities by one of which a certificate must be signed
     */
    public record Clients(List<X509Certificate> authorities, Demand demand) {
        public Clients {
            authorities = List.copyOf(authorities);
        }
    }

    /** What becomes of clients without a certificate. */
    public enum Demand {
        OPTIONAL,
        REQUIRED
    }

    public ServerTls {
        certificates = List.copyOf(certificates);
        protocols = List.copyOf(protocols);
    }
}
