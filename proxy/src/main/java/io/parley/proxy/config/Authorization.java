package io.parley.proxy.config;

import io.parley.identity.certificate.SpiffeId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may open a connection to a port.
 *
 * @param strangers whether clients without a mesh certificate may
 * @param identities exactly these members of the mesh may; empty for none
 * @param trustDomains every member of these trust domains may
 */
public record Authorization(Strangers strangers, Set<SpiffeId> identities, Set<String> trustDomains) {
    /** What becomes of a client that has no mesh certificate. */
    public enum Strangers {
        ALLOWED,
        REFUSED
    }

    /** In the place of a trust domain: whoever has a certificate of an authority that the proxy believes. */
    public static final String ANY_MEMBER = "*";

    public Authorization {
        identities = Set.copyOf(identities);
        trustDomains = Set.copyOf(trustDomains);
    }

    /**
     * Whether this peer may.
     *
     * @param peer null for one without a mesh certificate
     */
    public boolean allows(@Nullable SpiffeId peer) {
        if (peer == null) {
            return strangers == Strangers.ALLOWED;
        }
        return strangers == Strangers.ALLOWED || identities.contains(peer) || trustDomains.contains(peer.trustDomain());
    }
}
