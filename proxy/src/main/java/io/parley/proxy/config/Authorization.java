package io.parley.proxy.config;

import io.parley.identity.certificate.SpiffeId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may open a connection to a port.
 *
 * @param strangers whether clients without a mesh certificate may
 * @param allowed members of the mesh who may: that strangers may lets no member in, who could as well be refused by name
 * @param denied members who may not, whatever else is said of them
 */
public record Authorization(Strangers strangers, Peers allowed, Peers denied) {
    /** What becomes of a client that has no mesh certificate. */
    public enum Strangers {
        ALLOWED,
        REFUSED
    }

    /**
     * Members of the mesh.
     *
     * @param identities exactly these
     * @param trustDomains every member of these trust domains; {@link #ANY_MEMBER} stands for all
     * @param beginnings every member whose whole name starts with one of these
     */
    public record Peers(Set<SpiffeId> identities, Set<String> trustDomains, Set<String> beginnings) {
        /** In the place of a trust domain: whoever has a certificate of an authority that the proxy believes. */
        public static final String ANY_MEMBER = "*";

        public static final Peers NONE = new Peers(Set.of(), Set.of());
        public static final Peers ALL = new Peers(Set.of(), Set.of(ANY_MEMBER));

        public Peers {
            identities = Set.copyOf(identities);
            trustDomains = Set.copyOf(trustDomains);
            beginnings = Set.copyOf(beginnings);
        }

        public Peers(Set<SpiffeId> identities, Set<String> trustDomains) {
            this(identities, trustDomains, Set.of());
        }

        boolean include(SpiffeId peer) {
            return identities.contains(peer)
                    || trustDomains.contains(peer.trustDomain())
                    || trustDomains.contains(ANY_MEMBER)
                    || beginnings.stream().anyMatch(peer.toString()::startsWith);
        }
    }

    /** Nobody is denied by name. */
    public Authorization(Strangers strangers, Set<SpiffeId> identities, Set<String> trustDomains) {
        this(strangers, new Peers(identities, trustDomains), Peers.NONE);
    }

    /**
     * Which of its names a peer comes by that has several, as one that stands for several services does: one that is denied, if there is
     * any, as it must not come by another; else one that is allowed; else the first.
     */
    public SpiffeId comesBy(List<SpiffeId> names) {
        return names.stream()
                .filter(denied::include)
                .findFirst()
                .or(() -> names.stream().filter(allowed::include).findFirst())
                .orElseGet(names::getFirst);
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
        return !denied.include(peer) && allowed.include(peer);
    }
}
